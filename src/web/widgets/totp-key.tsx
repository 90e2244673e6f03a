import { t } from '../i18n/i18n.tsx'
import { TextField } from '../ui/text-field.tsx'
import { CopyButton } from './copy-button.tsx'
import { QrPicture } from './qr-picture.tsx'
import styles from './totp-key.module.css'

export interface TotpKeyProps {
  secret: string
  uri: string
  code: string
  error: string | null
  onCode: (code: string) => void
  /** Copies a text and reports errors itself. */
  copy: (text: string) => Promise<boolean>
}

/** What an authenticator app needs, as a picture and as text, and the first code that it shows. */
export function TotpKey({ secret, uri, code, error, onCode, copy }: TotpKeyProps) {
  return (
    <div className={styles.key}>
      <QrPicture text={uri} label={t('factors.totp.qr')} />
      <div className={styles.text}>
        <p className="muted text-small">{t('factors.totp.key')}</p>
        <p className={styles.secret}>
          <code dir="ltr">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          <CopyButton label={t('factors.totp.copy')} copy={() => copy(secret)} />
        </p>
      </div>
      <TextField
        label={t('login.second.totp')}
        name="code"
        verbatim
        autoComplete="one-time-code"
        inputMode="numeric"
        dir="ltr"
        required
        // It comes after its dialog or page.
        autoFocus
        className={styles.code}
        value={code}
        onValue={onCode}
        error={error}
      />
    </div>
  )
}
