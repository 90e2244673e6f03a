import { changeOwnPassword } from '../../data/password.ts'
import { passwordChosen, signOut, useUser } from '../../data/session.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { NewPasswordFields } from '../../widgets/new-password-fields.tsx'
import { useNewPassword } from '../../widgets/new-password.ts'
import { StepForm } from './step-form.tsx'
import styles from './welcome.module.css'

/** Replaces the password that the first start printed; the server serves nothing else before. */
export function PasswordStep() {
  const { username } = useUser()
  const form = useNewPassword({ save: changeOwnPassword, onSaved: passwordChosen })
  return (
    <StepForm
      title={t('welcome.password.title')}
      text={t('welcome.password.text')}
      submit={t('welcome.continue')}
      busy={form.busy}
      onSubmit={form.submit}
      others={
        <div className={styles.skips}>
          <Button label={t('sidebar.logout')} variant="quiet" onClick={() => void signOut()} />
        </div>
      }
    >
      <NewPasswordFields username={username} form={form} />
    </StepForm>
  )
}
