import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from '../../../router/router.tsx'
import { useOrderProviders, useProviders, useSetOnly, useTried } from '../../../data/providers.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { Section } from '../section.tsx'
import { ConnectedAccounts } from './connected-accounts.tsx'
import { ProviderEditor } from './provider-editor.tsx'
import styles from './sign-in-screen.module.css'
import { TrialReport } from './trial-report.tsx'

/** How people sign in: providers, their order, whether passwords are accepted, and which accounts are connected. */
export function SignInScreen() {
  const { data, error } = useProviders()
  const tried = useTried({ enabled: useSearchParams().has('tried') })
  const order = useOrderProviders()
  const only = useSetOnly()
  // Remounts the form for a new provider after one was added.
  const [made, setMade] = useState(0)

  if (data === undefined) return error === null ? <Loading height="200px" size={24} tone="faint" /> : <p role="alert">{errorText(error)}</p>
  const { providers, addresses } = data
  const move = (from: number, to: number) => {
    const ids = providers.map(({ id }) => id)
    const [moved] = ids.splice(from, 1)
    if (moved !== undefined) order.mutate(ids.toSpliced(to, 0, moved))
  }
  return (
    <div className={styles.sections} data-part="sign-in-settings">
      {tried !== null && (
        <TrialReport report={tried} name={providers.find(({ id }) => id === tried.provider)?.name ?? tried.provider} url={null} />
      )}
      <Section title={t('signin.providers')} text={t('signin.text')}>
        <div data-part="providers">
          {providers.map((provider, at) => (
            <div key={provider.id} className={styles.row}>
              <div className="grow shrinkable">
                <Disclosure label={<bdi>{provider.name}</bdi>} note={provider.enabled ? undefined : t('webhooks.off')}>
                  <ProviderEditor key={JSON.stringify(provider)} provider={provider} addresses={addresses} onSaved={() => {}} />
                </Disclosure>
              </div>
              {at > 0 && (
                <IconButton
                  size="small"
                  label={`${t('signin.up')}: ${provider.name}`}
                  icon={<ArrowUp size={16} />}
                  onClick={() => move(at, at - 1)}
                />
              )}
              {at < providers.length - 1 && (
                <IconButton
                  size="small"
                  label={`${t('signin.down')}: ${provider.name}`}
                  icon={<ArrowDown size={16} />}
                  onClick={() => move(at, at + 1)}
                />
              )}
            </div>
          ))}
          <Disclosure key={made} label={t('signin.add')}>
            <ProviderEditor provider={null} addresses={addresses} onSaved={() => setMade(made + 1)} />
          </Disclosure>
        </div>
        {(providers.length > 0 || data.only) && (
          <Switch
            label={t('signin.only')}
            hint={data.only || data.maySetOnly ? t('signin.only.hint') : t('signin.only.needs')}
            checked={data.only}
            disabled={only.isPending || !(data.only || data.maySetOnly)}
            onChecked={(value) => only.mutate(value)}
          />
        )}
      </Section>
      {providers.length > 0 && <ConnectedAccounts providers={providers} />}
    </div>
  )
}
