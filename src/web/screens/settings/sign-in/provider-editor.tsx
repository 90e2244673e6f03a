import { FlaskConical, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { Provider } from '../../../../shared/contract/providers.ts'
import { isSame } from '../../../../shared/changes.ts'
import { isAppError } from '../../../../shared/errors.ts'
import { providerIdFrom } from '../../../../shared/provider-id.ts'
import { notify } from '../../../data/notices.ts'
import { ask } from '../../../data/prompts.ts'
import { useRemoveProvider, useSaveProvider, useTryProvider } from '../../../data/providers.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { unsavedQuestion } from '../confirmations.ts'
import { Part } from '../section.tsx'
import { ClaimedGroups } from './claimed-groups.tsx'
import { formFrom, inputFrom, isAddress, type ProviderForm } from './provider-form.ts'
import { ProviderAddresses } from './provider-addresses.tsx'
import styles from './sign-in-screen.module.css'
import { TrialReport } from './trial-report.tsx'

export interface ProviderEditorProps {
  /** Null for a new one. */
  provider: Provider | null
  addresses: { origin: string; base: string }
  onSaved: () => void
}

/** The form of one provider, saved on its own. */
export function ProviderEditor({ provider, addresses, onSaved }: ProviderEditorProps) {
  const [form, setForm] = useState(() => formFrom(provider))
  const save = useSaveProvider()
  const trial = useTryProvider()
  const remove = useRemoveProvider()
  const touched = !isSame(form, formFrom(provider))
  useUnsavedGuard(touched, unsavedQuestion())

  const change = (part: Partial<ProviderForm>) => {
    setForm({ ...form, ...part })
    save.reset()
  }
  const isWrongIssuer = form.issuer !== '' && !isAddress(form.issuer)
  const isComplete = form.name.trim() !== '' && form.clientId.trim() !== '' && isAddress(form.issuer)
  const refusal = isAppError(save.error, 'invalid-input')
    ? t('form.refused', { reason: save.error.detail.issues.join('; ') })
    : save.error === null
      ? null
      : errorText(save.error)
  const submit = async () => {
    if (!isComplete || save.isPending || !touched) return
    const id = provider?.id ?? providerIdFrom(form.name)
    // The list may be read again before this goes on, and then this editor is another one.
    const done = await save.mutateAsync({ id, isNew: provider === null, input: inputFrom(form) }).catch(() => null)
    if (done === null) return
    notify({ tone: 'success', text: t('signin.saved') })
    setForm({ ...form, clientSecret: '' })
    onSaved()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    void submit()
  }
  const askToRemove = async () => {
    if (provider === null) return
    const question = { title: t('signin.remove.title'), text: t('signin.remove.text'), confirmLabel: t('webhooks.remove'), danger: true }
    if ((await ask('confirm', question)) !== null) remove.mutate(provider.id)
  }
  const text = (name: keyof { [K in keyof ProviderForm as ProviderForm[K] extends string ? K : never]: string }) => ({
    value: form[name],
    onValue: (value: string) => change({ [name]: value }),
    autoComplete: 'off',
    verbatim: true,
    maxLength: 2000,
  })
  const flag = (name: 'enabled' | 'create' | 'endSession' | 'secondFactor') => ({
    checked: form[name],
    onChecked: (checked: boolean) => change({ [name]: checked }),
  })

  return (
    <div className={styles.editor} role="group" aria-label={provider?.name ?? t('signin.add')} onKeyDown={onKeyDown}>
      <TextField label={t('signin.name')} {...text('name')} verbatim={false} maxLength={100} />
      <TextField
        label={t('signin.issuer')}
        hint={t('signin.issuer.hint')}
        type="url"
        dir="ltr"
        placeholder="https://"
        {...text('issuer')}
        error={isWrongIssuer ? t('webhooks.url.wrong') : null}
      />
      <TextField label={t('signin.client-id')} dir="ltr" {...text('clientId')} maxLength={500} />
      <TextField
        label={t('signin.client-secret')}
        hint={provider?.hasSecret === true ? t('signin.client-secret.kept') : undefined}
        type="password"
        dir="ltr"
        {...text('clientSecret')}
        autoComplete="new-password"
        maxLength={1000}
      />
      <ProviderAddresses id={provider?.id ?? (form.name.trim() === '' ? null : providerIdFrom(form.name))} addresses={addresses} />
      <div className={styles.switches}>
        <Switch label={t('signin.enabled')} {...flag('enabled')} />
        <Switch label={t('signin.create')} hint={t('signin.create.hint')} {...flag('create')} />
        <Switch label={t('signin.second-factor')} hint={t('signin.second-factor.hint')} {...flag('secondFactor')} />
        <Switch label={t('signin.end-session')} {...flag('endSession')} />
      </div>
      <TextField label={t('signin.username-claim')} dir="ltr" {...text('usernameClaim')} />
      <TextField label={t('signin.scopes')} dir="ltr" {...text('scopes')} />
      {(['allow', 'admin'] as const).map((what) => (
        <Part key={what} title={t(`signin.${what}`)}>
          <TextField label={t('signin.claim')} dir="ltr" {...text(`${what}Claim`)} />
          <TextField label={t('signin.values')} hint={t(`signin.${what}.hint`)} {...text(`${what}Values`)} />
        </Part>
      ))}
      <ClaimedGroups form={form} onChange={change} />
      <div role="alert">{refusal !== null && <p className={styles.refusal}>{refusal}</p>}</div>
      <div className={styles.actions}>
        <Button
          label={t(provider === null ? 'webhooks.create' : 'webhooks.save')}
          size="small"
          variant="primary"
          busy={save.isPending}
          disabled={!touched || !isComplete}
          onClick={() => void submit()}
        />
        {provider !== null && (
          <>
            <Button
              label={t('signin.try')}
              size="small"
              icon={FlaskConical}
              busy={trial.isPending}
              disabled={touched}
              onClick={() => trial.mutate(provider.id)}
            />
            <Button label={t('webhooks.remove')} size="small" variant="danger" icon={Trash2} onClick={() => void askToRemove()} />
          </>
        )}
      </div>
      {trial.data !== undefined && provider !== null && (
        <TrialReport report={trial.data.report} name={provider.name} url={trial.data.url} />
      )}
    </div>
  )
}
