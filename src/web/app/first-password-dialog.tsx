import { notify } from '../data/notices.ts'
import { changeOwnPassword } from '../data/password.ts'
import type { PromptProps } from '../data/prompts.ts'
import { useUser } from '../data/session.ts'
import { t } from '../i18n/i18n.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { NewPasswordFields } from '../widgets/new-password-fields.tsx'
import { useNewPassword } from '../widgets/new-password.ts'
import { DialogActions } from '../widgets/dialog-actions.tsx'

/** Asks for a new password after a sign-in with the password that was printed at first start. */
export function FirstPasswordDialog({ onAnswer, onDismiss }: PromptProps<'first-password'>) {
  const { username } = useUser()
  const form = useNewPassword({
    save: changeOwnPassword,
    onSaved() {
      notify({ tone: 'success', text: t('settings.password.updated') })
      onAnswer(true)
    },
  })
  return (
    <Dialog
      title={t('first-password.title')}
      description={t('first-password.text')}
      onDismiss={onDismiss}
      onSubmit={form.submit}
      busy={form.busy}
      actions={
        <DialogActions onCancel={onDismiss} cancel={t('first-password.later')} submit={t('settings.password.submit')} busy={form.busy} />
      }
    >
      <div className="grid gap-6 shrinkable">
        <NewPasswordFields username={username} form={form} autoFocus />
      </div>
    </Dialog>
  )
}
