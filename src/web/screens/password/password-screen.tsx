import { isAppError } from '../../../shared/errors.ts'
import { useConfirmAddress, usePasswordLink, choosePassword } from '../../data/password-links.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { useLocation, useNavigate } from '../../router/router.tsx'
import { notify } from '../../data/notices.ts'
import { Button } from '../../ui/button.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { Loading } from '../../widgets/loading.tsx'
import { NewPasswordFields } from '../../widgets/new-password-fields.tsx'
import { useNewPassword } from '../../widgets/new-password.ts'
import { AskForm } from './ask-form.tsx'
import { Words } from './words.tsx'
import styles from './password-screen.module.css'

/** The page of a link, whose secret is the fragment of its address; without one, the page to ask for a link. */
export function PasswordScreen() {
  const { hash } = useLocation()
  const secret = hash.slice(1)
  return (
    <StandalonePage data-part="password-link">{secret === '' ? <AskForm /> : <LinkPage key={secret} secret={secret} />}</StandalonePage>
  )
}

function LinkPage({ secret }: { secret: string }) {
  const { data, error } = usePasswordLink(secret)
  if (data === undefined) {
    if (error === null) return <Loading height="160px" />
    const isGone = isAppError(error, 'not-found') || isAppError(error, 'invalid-input')
    return (
      <Words
        title={t(isGone ? 'reset.gone.title' : 'errors.server.title')}
        text={isGone ? t('reset.gone.text') : errorText(error)}
        isLast
      />
    )
  }
  const { kind, username, address, minimumPasswordLength } = data
  return kind === 'address' ? (
    <ConfirmAddress secret={secret} username={username} address={address} />
  ) : (
    <ChoosePassword secret={secret} username={username} minimumLength={minimumPasswordLength} />
  )
}

function ChoosePassword({ secret, username, minimumLength }: { secret: string; username: string; minimumLength: number }) {
  const navigate = useNavigate()
  const form = useNewPassword({
    minimumLength,
    save: (password) => choosePassword(secret, password),
    onSaved() {
      notify({ tone: 'success', text: t('reset.done') })
      void navigate('/login', { replace: true })
    },
  })
  return (
    <Words title={t('title.password-link')} text={t('reset.choose.text', { name: displayName(username) })}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          form.submit()
        }}
      >
        <NewPasswordFields username={username} form={form} autoFocus />
        <Button label={t('reset.save')} type="submit" variant="primary" size="large" wide busy={form.busy} />
      </form>
    </Words>
  )
}

function ConfirmAddress({ secret, username, address }: { secret: string; username: string; address: string }) {
  const confirm = useConfirmAddress()
  if (confirm.isSuccess) return <Words title={t('reset.confirmed')} text={address} isLast />
  return (
    <Words
      title={t('reset.confirm.title')}
      text={t('reset.confirm.text', { name: displayName(username), address: `\u2068${address}\u2069` })}
    >
      <div className={styles.form}>
        <div role="alert">{confirm.error !== null && <FieldMessage tone="error" text={errorText(confirm.error)} />}</div>
        <Button
          label={t('reset.confirm')}
          variant="primary"
          size="large"
          wide
          autoFocus
          busy={confirm.isPending}
          onClick={() => confirm.mutate(secret)}
        />
      </div>
    </Words>
  )
}
