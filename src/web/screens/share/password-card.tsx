import { useMutation } from '@tanstack/react-query'
import { CircleAlert, Lock } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { isAppError } from '../../../shared/errors.ts'
import { instanceName } from '../../data/page-config.ts'
import { type ShareLocation, useUnlock } from '../../data/shared-resource.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../widgets/password-field.tsx'
import { StandaloneCard } from '../../ui/standalone-card.tsx'
import door from './gate.module.css'
import styles from './password-card.module.css'

/** Password form of a protected link. The password stays in memory; later requests use the server's ticket. */
export function PasswordCard({ place }: { place: ShareLocation }) {
  const form = useRef<HTMLFormElement>(null)
  const unlock = useMutation({
    mutationFn: useUnlock(place),
    meta: { shows: 'all' },
    onError: () => form.current?.querySelector('input')?.select(),
  })
  const { error } = unlock
  const [password, setPassword] = useState('')

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!unlock.isPending) unlock.mutate(password)
  }
  return (
    <StandaloneCard className={door.card} data-part="share-password">
      <header className="grid gap-5">
        <span className={door.sign} aria-hidden>
          <Lock size={26} strokeWidth={1.75} />
        </span>
        <div>
          <h1 className={door.title}>{t('visit.password.title')}</h1>
          <p className={door.text}>{t('visit.password.text')}</p>
        </div>
      </header>
      <form ref={form} className={styles.form} onSubmit={submit} noValidate>
        {/* Password managers need a user name. */}
        <input type="text" name="username" autoComplete="username" value={`${instanceName} ${place.hash}`} readOnly hidden />
        <PasswordField
          label={t('visit.password')}
          name="password"
          autoComplete="current-password"
          autoFocus
          required
          value={password}
          onValue={setPassword}
        />
        <div role="alert">
          {error !== null && (
            <p className={styles.failure}>
              <CircleAlert size={18} aria-hidden />
              <span>{isAppError(error, 'share-password-needed') ? t('visit.wrong-password') : errorText(error)}</span>
            </p>
          )}
        </div>
        <Button label={t('visit.password.submit')} type="submit" variant="primary" size="large" wide busy={unlock.isPending} />
      </form>
    </StandaloneCard>
  )
}
