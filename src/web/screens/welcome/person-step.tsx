import { useState } from 'react'
import { isAppError } from '../../../shared/errors.ts'
import { copyAndTell } from '../../data/copy-text.ts'
import { fullAddress } from '../../data/paths.ts'
import { useSettings } from '../../data/settings.ts'
import { useCreateUser } from '../../data/users.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { passwordError } from '../../widgets/password-error.ts'
import { newDraft, scopeOf, userOf } from '../../widgets/user-draft.ts'
import { randomPassword } from './random-password.ts'
import { Result } from './result.tsx'
import { StepForm } from './step-form.tsx'
import { useFinish } from './use-finish.tsx'

/** A first account besides one's own, with a folder of its own; then what to pass on to that person. */
export function PersonStep() {
  const settings = useSettings()
  const [draft] = useState(() => newDraft(settings))
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState(randomPassword)
  const [problem, setProblem] = useState<string | null>(null)
  const { finish, busy, skips } = useFinish('person')
  const create = useCreateUser()

  if (create.data) return <Ready username={username.trim()} password={password} busy={busy} onContinue={finish} />
  const submit = () => {
    const person = { ...draft, username: username.trim(), password }
    const scope = scopeOf(person, settings)
    if (person.username === '') return setProblem(t('login.enter-username'))
    if (scope === null) return setProblem(t('login.username-refused'))
    const { id: _, ...data } = userOf({ ...person, scope })
    create.mutate(data)
  }
  const { error } = create
  const ofPassword = passwordError(error)
  const ofName = isAppError(error, 'name-taken') ? t('error.name-taken') : isNameRefused(error) ? t('login.username-refused') : null
  return (
    <StepForm
      title={t('welcome.person.title')}
      text={t('welcome.person.text')}
      submit={t('welcome.person.submit')}
      busy={busy || create.isPending}
      error={error !== null && ofPassword === null && ofName === null ? errorText(error) : null}
      onSubmit={submit}
      others={skips}
    >
      <TextField
        verbatim
        label={t('user.username')}
        autoComplete="off"
        value={username}
        error={problem ?? ofName}
        onValue={(value) => {
          setUsername(value)
          setProblem(null)
          create.reset()
        }}
      />
      <TextField
        verbatim
        label={t('user.password')}
        autoComplete="off"
        value={password}
        error={ofPassword}
        onValue={(value) => {
          setPassword(value)
          create.reset()
        }}
      />
    </StepForm>
  )
}

function isNameRefused(error: unknown): boolean {
  return isAppError(error, 'invalid-input') && error.detail.issues.some((issue) => /^(?:data\.)?username:/.test(issue))
}

function Ready({ username, password, busy, onContinue }: { username: string; password: string; busy: boolean; onContinue: () => void }) {
  const address = location.origin + fullAddress('/')
  const lines = [address, `${t('user.username')}: ${username}`, `${t('user.password')}: ${password}`]
  const copy = () => copyAndTell(lines.join('\n'), { failed: t('welcome.copy-failed') })
  return (
    <StepForm
      title={t('welcome.person.ready', { name: username })}
      text={t('welcome.person.ready.text')}
      submit={t('welcome.continue')}
      busy={busy}
      onSubmit={onContinue}
    >
      <Result
        lines={[
          { label: t('welcome.address'), text: address },
          { label: t('user.username'), text: username },
          { label: t('user.password'), text: password },
        ]}
      >
        <CopyButton label={t('welcome.person.copy')} copy={copy} wide />
      </Result>
    </StepForm>
  )
}
