import { useEffect, useRef } from 'react'
import { isAppError } from '../../../shared/errors.ts'
import { notify } from '../../data/notices.ts'
import { pageConfig } from '../../data/page-config.ts'
import { changeOwnPassword } from '../../data/password.ts'
import { passwordChosen, signOut, useSession, useUser } from '../../data/session.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { NewPasswordFields } from '../../widgets/new-password-fields.tsx'
import { useNewPassword } from '../../widgets/new-password.ts'
import { StepForm } from './step-form.tsx'
import styles from './welcome.module.css'

/** Replaces the password that the first start printed; the server serves nothing else before. */
export function PasswordStep() {
  const { username } = useUser()
  const isChosenHere = useRef(false)
  const form = useNewPassword({
    minimumLength: pageConfig.MinimumPasswordLength,
    save: choosePassword,
    onSaved() {
      isChosenHere.current = true
      passwordChosen()
    },
  })
  // The step goes away under the user's hands if another window was faster.
  useEffect(
    () => () => {
      const { user, firstMinute } = useSession.getState()
      const isOver = user !== null && firstMinute.mustChangePassword !== true
      if (isOver && !isChosenHere.current) notify({ tone: 'error', text: t('error.own-password-chosen'), reportable: false })
    },
    [],
  )
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

/** @returns false if another window was faster: its choice is kept, and the page goes on from there */
async function choosePassword(password: string): Promise<boolean> {
  try {
    return await changeOwnPassword(password, { replacesPrinted: true })
  } catch (error) {
    if (!isAppError(error, 'own-password-chosen')) throw error
    passwordChosen()
    return false
  }
}
