import { FlaskConical } from 'lucide-react'
import type { Provider } from '../../../../shared/contract/providers.ts'
import { providerIdFrom } from '../../../../shared/provider-id.ts'
import { useRemoveProvider, useSaveProvider, useTryProvider } from '../../../data/providers.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Part } from '../section.tsx'
import { ClaimedGroups } from './claimed-groups.tsx'
import { formFrom, inputFrom, isAddress, needsSecret, type ProviderForm } from './provider-form.ts'
import { ProviderAddresses } from './provider-addresses.tsx'
import styles from './sign-in-screen.module.css'
import { TrialReport } from './trial-report.tsx'
import { useMethodForm, MethodActions } from './method-form.tsx'

export interface ProviderEditorProps {
  /** Null for a new one. */
  provider: Provider | null
  addresses: { origin: string; base: string }
  onSaved: () => void
}

/** The form of one provider, saved on its own. */
export function ProviderEditor({ provider, addresses, onSaved }: ProviderEditorProps) {
  const trial = useTryProvider()
  const remove = useRemoveProvider()
  const { form, change, touched, onKeyDown, actions } = useMethodForm({
    id: provider?.id ?? null,
    stored: formFrom(provider),
    isComplete: (now) => now.clientId.trim() !== '' && isAddress(now.issuer) && !needsSecret(provider, now),
    inputFrom,
    save: useSaveProvider(),
    forget: { clientSecret: '' },
    savedText: t('signin.saved'),
    onSaved,
  })
  const isWrongIssuer = form.issuer !== '' && !isAddress(form.issuer)
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
        error={!isWrongIssuer && needsSecret(provider, form) ? t('error.secret-needed') : null}
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
      <MethodActions
        {...actions}
        removal={{
          title: t('signin.remove.title'),
          text: t('signin.remove.text'),
          remove: () => provider !== null && remove.mutate(provider.id),
        }}
      >
        <Button
          label={t('signin.try')}
          size="small"
          icon={FlaskConical}
          busy={trial.isPending}
          disabled={touched}
          onClick={() => provider !== null && trial.mutate(provider.id)}
        />
      </MethodActions>
      {trial.data !== undefined && provider !== null && (
        <TrialReport report={trial.data.report} name={provider.name} url={trial.data.url} />
      )}
    </div>
  )
}
