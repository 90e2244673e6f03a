import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { SecondProof, SecondWay } from '../../shared/contract/second-proof.ts'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './second-factor-fields.module.css'

export interface SecondFactorEntry {
  readonly way: SecondWay
  readonly ways: readonly SecondWay[]
  readonly text: string
  /** What was typed, as the server wants it; null if nothing was, or for a passkey. */
  readonly proof: SecondProof | null
  choose: (way: SecondWay) => void
  type: (text: string) => void
}

/** @param given the ways of the account; a browser without passkeys has fewer */
export function useSecondFactorEntry(given: readonly SecondWay[], { hasPasskeys }: { hasPasskeys: boolean }): SecondFactorEntry {
  const ways = given.filter((way) => way !== 'passkey' || hasPasskeys)
  const [way, setWay] = useState<SecondWay>(ways[0] ?? 'recovery')
  const [text, setText] = useState('')
  const typed = text.trim()
  return {
    way,
    ways,
    text,
    proof: typed === '' || way === 'passkey' ? null : way === 'totp' ? { code: typed } : { recovery: typed },
    choose(next) {
      setWay(next)
      setText('')
    },
    type: setText,
  }
}

export interface SecondFactorFieldsProps {
  entry: SecondFactorEntry
  error: string | null
  busy: boolean
  /** Another way was chosen. */
  onChange: () => void
}

/** A code, or a word about a passkey, and the other ways. */
export function SecondFactorFields({ entry, error, busy, onChange }: SecondFactorFieldsProps) {
  const { way, ways, text, choose, type } = entry
  return (
    <div className={styles.fields}>
      {way === 'passkey' ? (
        <div className={styles.passkey} role={error === null ? undefined : 'alert'}>
          <KeyRound size={22} strokeWidth={1.5} aria-hidden />
          <p>{error ?? t('login.second.passkey')}</p>
        </div>
      ) : (
        <TextField
          key={way}
          label={t(`login.second.${way}`)}
          verbatim
          name={way === 'totp' ? 'code' : 'recovery'}
          autoComplete={way === 'totp' ? 'one-time-code' : 'off'}
          inputMode={way === 'totp' ? 'numeric' : 'text'}
          dir="ltr"
          required
          autoFocus
          data-autofocus
          value={text}
          onValue={(value) => {
            type(value)
            onChange()
          }}
          error={error}
        />
      )}
      <div className={styles.others}>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button
              key={other}
              label={t(`login.second.use.${other}`)}
              variant="quiet"
              size="small"
              disabled={busy}
              onClick={() => {
                choose(other)
                onChange()
              }}
            />
          ))}
      </div>
    </div>
  )
}
