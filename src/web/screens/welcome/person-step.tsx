import { useState } from 'react'
import { isAppError } from '../../../shared/errors.ts'
import { copyAndTell } from '../../data/copy-text.ts'
import { fullAddress } from '../../data/paths.ts'
import type { StepResult } from '../../data/step-result.ts'
import { useSettings } from '../../data/settings.ts'
import { useCreateUser } from '../../data/users.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { passwordHint } from '../../widgets/new-password.ts'
import { passwordError } from '../../widgets/password-error.ts'
import { newDraft, scopeOf, userOf } from '../../widgets/user-draft.ts'
import { LocalAddressNote } from './local-address-note.tsx'
import { randomPassword } from './random-password.ts'
import { Result } from './result.tsx'
import { StepForm } from './step-form.tsx'
import { useFinish, useStepResult } from './use-finish.tsx'

type Person = Extract<StepResult, { step: 'person' }>

/** A first account besides one's own, with a folder of its own; then what to pass on to that person. */
export function PersonStep() {
  const [made, show] = useStepResult('person')
  return made === null ? <NewPerson onMade={show} /> : <Ready {...made} />
}

function NewPerson({ onMade }: { onMade: (made: Person) => void }) {
  const settings = useSettings()
  const [draft] = useState(() => newDraft(settings))
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState(randomPassword)
  const [problem, setProblem] = useState<string | null>(null)
  const { busy, skips } = useFinish('person')
  const create = useCreateUser()
  const submit = () => {
    const person = { ...draft, username: username.trim(), password }
    const scope = scopeOf(person, settings)
    if (person.username === '') return setProblem(t('login.enter-username'))
    if (scope === null) return setProblem(t('login.username-refused'))
    const { id: _, ...data } = userOf({ ...person, scope })
    create.mutate({ data }, { onSuccess: (place) => place !== null && onMade({ step: 'person', username: person.username, password }) })
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
        hint={passwordHint(settings.minimumPasswordLength)}
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

function Ready({ username, password }: Person) {
  const { finish, busy } = useFinish('person')
  const address = location.origin + fullAddress('/')
  const lines = [address, `${t('user.username')}: ${username}`, `${t('user.password')}: ${password}`]
  const copy = () => copyAndTell(lines.join('\n'), { failed: t('welcome.copy-failed') })
  return (
    <StepForm
      title={t('welcome.person.ready', { name: username })}
      text={t('welcome.person.ready.text')}
      submit={t('welcome.continue')}
      busy={busy}
      onSubmit={finish}
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
      <LocalAddressNote />
    </StepForm>
  )
}
