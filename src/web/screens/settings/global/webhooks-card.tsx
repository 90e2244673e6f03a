import { useState } from 'react'
import { useWebhooks } from '../../../data/webhooks.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { Section } from '../section.tsx'
import { Runs } from './runs.tsx'
import { FreshSecret, WebhookEditor } from './webhook-editor.tsx'

/** Webhooks and their latest deliveries. */
export function WebhooksCard() {
  const { data, error, isFetching, refetch } = useWebhooks()
  const [fresh, setFresh] = useState<{ url: string; secret: string } | null>(null)
  // Remounts the form for a new webhook after one was created.
  const [made, setMade] = useState(0)
  return (
    <Section title={t('webhooks.title')} text={t('webhooks.text')}>
      {fresh !== null && <FreshSecret {...fresh} onClose={() => setFresh(null)} />}
      {data === undefined ? (
        <p className="muted text-small" role={error === null ? undefined : 'alert'}>
          {error === null ? <Spinner size={18} /> : errorText(error)}
        </p>
      ) : (
        <div data-part="webhooks">
          {data.hooks.map((hook) => (
            <Disclosure key={hook.id} label={<bdi dir="ltr">{shortUrl(hook.url)}</bdi>} note={hook.enabled ? undefined : t('webhooks.off')}>
              <WebhookEditor hook={hook} onSecret={(secret) => setFresh({ url: hook.url, secret })} />
            </Disclosure>
          ))}
          <Disclosure key={made} label={t('webhooks.add')}>
            <WebhookEditor
              hook={null}
              onSecret={(secret, url) => {
                setFresh({ url, secret })
                setMade(made + 1)
              }}
            />
          </Disclosure>
        </div>
      )}
      <Runs
        title={t('webhooks.deliveries')}
        none={t('webhooks.deliveries.none')}
        runs={data?.deliveries}
        busy={isFetching}
        onRefresh={() => void refetch()}
      />
    </Section>
  )
}

/** Without the scheme. */
function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, '').replace(/\/$/, '')
}
