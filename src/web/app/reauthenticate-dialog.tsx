import { isAppError } from '../../shared/errors.ts'
import type { PromptProps } from '../data/prompts.ts'
import { useSession } from '../data/session.ts'
import { errorText, t } from '../i18n/i18n.tsx'
import { PasswordDialog } from './password-dialog.tsx'

/** Asks for the current password before a sensitive operation, until it is correct or the user gives up. */
export function ReauthenticateDialog({ attempt, onAnswer, onDismiss }: PromptProps<'reauthenticate'>) {
  const username = useSession((state) => state.user?.username ?? '')
  return (
    <PasswordDialog
      title={t('proof.title')}
      text={t('proof.text')}
      username={username}
      label={t('proof.label')}
      empty={t('proof.empty')}
      submit={t('proof.submit')}
      leave={t('action.cancel')}
      attempt={attempt}
      problemOf={(error) => (isAppError(error, 'proof-needed') ? t('proof.wrong') : errorText(error))}
      onDone={() => onAnswer(true)}
      onLeave={onDismiss}
      onDismiss={onDismiss}
    />
  )
}
