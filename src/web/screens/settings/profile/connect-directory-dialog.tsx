import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isAppError } from '../../../../shared/errors.ts'
import { connectDirectory } from '../../../data/directories.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'
import { PasswordField } from '../../../widgets/password-field.tsx'

/** Asks for the name and password in a directory, and connects the own account with that person. */
export function ConnectDirectoryDialog({ id, name, onAnswer, onDismiss }: PromptProps<'connect-directory'>) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const connect = useMutation({
    meta: { shows: 'all' },
    mutationFn: () => connectDirectory(id, { username, password }),
    onSuccess: (done) => (done === null ? onDismiss() : onAnswer(true)),
  })
  const problem = connect.error === null ? null : problemOf(connect.error)
  return (
    <Dialog
      title={`${t('connections.connect')}: ${name}`}
      description={t('ldap.connect.text')}
      size="small"
      onDismiss={onDismiss}
      onSubmit={() => connect.mutate()}
      busy={connect.isPending}
      actions={<DialogActions onCancel={onDismiss} submit={t('connections.connect')} busy={connect.isPending} />}
    >
      <TextField
        label={t('login.username')}
        verbatim
        autoComplete="off"
        data-autofocus
        required
        maxLength={255}
        value={username}
        onValue={(value) => {
          setUsername(value)
          connect.reset()
        }}
      />
      <PasswordField
        label={t('login.password')}
        name="directory-password"
        autoComplete="off"
        required
        error={problem}
        value={password}
        onValue={(value) => {
          setPassword(value)
          connect.reset()
        }}
      />
    </Dialog>
  )
}

function problemOf(error: unknown): string {
  if (isAppError(error, 'already-exists')) return t('signin.problem.linked-elsewhere')
  return isAppError(error, 'directory-refused') ? t('signin.problem.not-allowed') : errorText(error)
}
