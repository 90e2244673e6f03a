import { FlaskConical } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { DirectoryStep } from '../../../../shared/contract/directories.ts'
import { type Directory, useTryDirectory } from '../../../data/directories.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Part } from '../section.tsx'
import styles from './sign-in-screen.module.css'
import { Steps } from './trial-report.tsx'

const STEPS: Readonly<Record<DirectoryStep['step'], () => string>> = {
  connect: () => t('ldap.step.connect'),
  tls: () => 'TLS',
  bind: () => t('ldap.bind-dn'),
  search: () => t('ldap.base-dn'),
  person: () => t('ldap.user-filter'),
  password: () => t('login.password'),
  groups: () => t('ldap.groups'),
  account: () => t('signin.step.account'),
}

/** Signs somebody in for a trial, and shows what each step found. */
export function DirectoryTrial({ directory, disabled }: { directory: Directory; disabled: boolean }) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const trial = useTryDirectory()
  const report = trial.data
  const submit = () => {
    if (!disabled && !trial.isPending) trial.mutate({ id: directory.id, username, password })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    submit()
  }
  const name = `\u2068${directory.name}\u2069`
  return (
    <Part title={t('signin.try.title', { name })}>
      <div className={styles.editor} role="group" aria-label={t('signin.try.title', { name: directory.name })} onKeyDown={onKeyDown}>
        <TextField label={t('login.username')} verbatim autoComplete="off" maxLength={255} value={username} onValue={setUsername} />
        <TextField
          label={t('login.password')}
          hint={t('ldap.try.hint')}
          type="password"
          verbatim
          autoComplete="off"
          maxLength={1024}
          value={password}
          onValue={setPassword}
        />
        <div className={styles.actions}>
          <Button label={t('signin.try')} size="small" icon={FlaskConical} busy={trial.isPending} disabled={disabled} onClick={submit} />
        </div>
      </div>
      {report !== undefined && (
        <section className={styles.trial} data-part="trial" aria-label={t('signin.try.title', { name: directory.name })}>
          <Steps steps={report.steps.map(({ step, ...rest }) => ({ ...rest, step, label: STEPS[step]() }))} claims={report.attributes} />
          <div role="status">
            {report.problem === null ? (
              report.attributes.length > 0 && <p className={styles.works}>{t('signin.try.works')}</p>
            ) : (
              <p className={styles.refusal}>
                {report.problem === 'provider' || report.problem === 'refused'
                  ? t(`ldap.problem.${report.problem}`)
                  : t(`signin.problem.${report.problem}`)}
              </p>
            )}
          </div>
        </section>
      )}
    </Part>
  )
}
