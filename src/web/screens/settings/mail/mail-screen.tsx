import { type FormEvent, useState } from 'react'
import { MAIL_SECURITY, type MailSettings } from '../../../../shared/contract/mail.ts'
import { changedPlaces } from '../../../../shared/changes.ts'
import { useMail, useSaveMail } from '../../../data/mail.ts'
import { notify } from '../../../data/notices.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldsOf } from '../../../widgets/form-fields.ts'
import { PasswordField } from '../../../widgets/password-field.tsx'
import { unsavedQuestion } from '../confirmations.ts'
import frame from '../form.module.css'
import { issueAt, issuesIn } from '../issues.ts'
import { SaveBar } from '../save-bar.tsx'
import { Section } from '../section.tsx'
import { SentMails } from './sent-mails.tsx'
import { MailCheck } from './mail-check.tsx'

/** The settings as form values. An empty password means the saved one. */
interface MailForm extends Omit<MailSettings, 'port' | 'hasPassword'> {
  port: string
  password: string
}

/** The mail server, a test of it, and what was sent. */
export function MailScreen() {
  const { data, refetch, isFetching } = useMail()
  const [base, setBase] = useState(data.settings)
  const [form, setForm] = useState(() => formOf(data.settings))
  const save = useSaveMail()
  const issues = issuesIn(save.error)
  const changes = changedPlaces(formOf(base), form).length
  const show = (settings: MailSettings) => {
    setBase(settings)
    setForm(formOf(settings))
  }
  useUnsavedGuard(changes > 0, unsavedQuestion())
  // Show changes of other tabs unless there are unsaved edits here.
  if (data.settings !== base && changes === 0 && !save.isPending) show(data.settings)

  const { value, checked } = fieldsOf(
    form,
    (next) => {
      setForm(next)
      save.reset()
    },
    (name) => (issueAt(issues, name) === null ? null : t('mail.wrong')),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending || changes === 0) return
    const { password, port, ...rest } = form
    save.mutate(
      { ...rest, port: Number(port), ...(password !== '' && { password }) },
      {
        onSuccess(isSaved) {
          if (isSaved === null) return
          setForm({ ...form, password: '' })
          notify({ tone: 'success', text: t('mail.saved') })
          void refetch().then((fresh) => fresh.data && show(fresh.data.settings))
        },
      },
    )
  }
  return (
    <form className={frame.form} onSubmit={submit} noValidate autoComplete="off" aria-label={t('title.mail')} data-part="mail">
      <div className={frame.sections}>
        <Section title={t('mail.server')} text={t('mail.server.text')}>
          <TextField label={t('mail.host')} hint={t('mail.host.hint')} verbatim dir="ltr" autoComplete="off" {...value('host')} />
          <TextField label={t('mail.port')} dir="ltr" inputMode="numeric" autoComplete="off" {...value('port')} />
          <Select
            label={t('mail.security')}
            options={MAIL_SECURITY.map((one) => ({ value: one, label: t(`mail.security.${one}`) }))}
            {...value('security')}
          />
          <TextField label={t('user.username')} verbatim dir="ltr" name="mail-user" autoComplete="off" {...value('username')} />
          <PasswordField
            label={t('login.password')}
            name="mail-password"
            autoComplete="new-password"
            placeholder={base.hasPassword ? t('user.password.keep') : undefined}
            {...value('password')}
          />
          <TextField label={t('mail.from')} verbatim dir="ltr" type="email" autoComplete="off" {...value('from')} />
          <TextField
            label={t('mail.site')}
            hint={t('mail.site.hint')}
            verbatim
            dir="ltr"
            type="url"
            placeholder="https://"
            autoComplete="off"
            {...value('site')}
          />
          <Switch label={t('mail.reset')} {...checked('reset')} />
          <Switch label={t('mail.quotas')} {...checked('quotas')} />
        </Section>
        <MailCheck isOn={base.host !== ''} />
        <SentMails sent={data.sent} busy={isFetching} onRefresh={() => void refetch()} />
      </div>
      <SaveBar
        changes={changes}
        label={t('global.update')}
        busy={save.isPending}
        onDiscard={() => {
          save.reset()
          show(base)
        }}
      />
    </form>
  )
}

function formOf({ hasPassword: _has, port, site, ...settings }: MailSettings): MailForm {
  // Where this page is reached is usually where people reach it.
  return { ...settings, port: String(port), site: site === '' ? location.origin + pageConfig.BaseURL : site, password: '' }
}
