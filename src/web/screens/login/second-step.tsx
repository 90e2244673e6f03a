import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isAppError } from '../../../shared/errors.ts'
import { hasPasskeys, PasskeyDismissed } from '../../data/passkeys.ts'
import { completeSignIn, completeWithPasskey, type HalfDone } from '../../data/second-step.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { SecondFactorFields, useSecondFactorEntry } from '../../widgets/second-factor-fields.tsx'
import styles from './login-screen.module.css'

export interface SecondStepProps {
  half: HalfDone
  /** Begins again. `expired`: because the first step is too long ago. */
  onBack: (how: { expired: boolean }) => void
}

/** The second factor of a sign-in. */
export function SecondStep({ half, onBack }: SecondStepProps) {
  const entry = useSecondFactorEntry(half.ways, { hasPasskeys: hasPasskeys() })
  const [trust, setTrust] = useState(false)
  const [isEmpty, setIsEmpty] = useState(false)
  const send = useMutation({
    meta: { shows: 'all' },
    mutationFn: () => (entry.proof === null ? completeWithPasskey(half, { trust }) : completeSignIn(half, { ...entry.proof, trust })),
    onError(error) {
      if (isAppError(error, 'sign-in-needed')) onBack({ expired: true })
      else if (entry.way === 'totp') entry.type('')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (send.isPending || send.isSuccess) return
    if (entry.way !== 'passkey' && entry.proof === null) setIsEmpty(true)
    else send.mutate()
  }
  const { error } = send
  const problem = isEmpty ? t('login.second.enter') : error === null || error instanceof PasskeyDismissed ? null : errorText(error)
  return (
    <form className={styles.form} onSubmit={submit} noValidate data-mode="second">
      <SecondFactorFields
        entry={entry}
        error={problem}
        busy={send.isPending}
        onChange={() => {
          setIsEmpty(false)
          if (!send.isPending) send.reset()
        }}
      />
      <Checkbox className={styles.remember} label={t('login.second.trust')} checked={trust} onChecked={setTrust} />
      <Button
        label={t(send.isPending ? 'login.checking' : 'login.submit')}
        type="submit"
        variant="primary"
        size="large"
        wide
        busy={send.isPending || send.isSuccess}
      />
      <Button label={t('login.second.back')} variant="quiet" onClick={() => onBack({ expired: false })} />
    </form>
  )
}
