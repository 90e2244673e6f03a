import { type FormEvent, useState } from 'react'
import { useAskForLink } from '../../data/password-links.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Link } from '../../router/router.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import links from '../../widgets/page-link.module.css'
import styles from './password-screen.module.css'
import { Words } from './words.tsx'

/** Asks for a link because a password is forgotten. What it says afterwards is the same for every name. */
export function AskForm() {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const ask = useAskForLink()
  if (ask.isSuccess) return <Words title={t('login.forgot')} text={t('reset.sent')} isLast />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setProblem(t('form.problem.empty'))
    ask.mutate(name.trim())
  }
  return (
    <Words title={t('login.forgot')} text={t('reset.text')}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField
          label={t('reset.name')}
          verbatim
          name="username"
          autoComplete="username"
          autoFocus
          value={name}
          error={problem ?? (ask.error === null ? null : errorText(ask.error))}
          onValue={(value) => {
            setName(value)
            setProblem(null)
          }}
        />
        <Button label={t('reset.submit')} type="submit" variant="primary" size="large" wide busy={ask.isPending} />
      </form>
      <p className={links.other}>
        <Link to="/login" replace className={links.link}>
          {t('reset.back')}
        </Link>
      </p>
    </Words>
  )
}
