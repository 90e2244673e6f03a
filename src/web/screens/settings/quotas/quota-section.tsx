import { RefreshCw } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { Subject } from '../../../../shared/contract/groups.ts'
import type { Quota } from '../../../../shared/contract/quotas.ts'
import { notify } from '../../../data/notices.ts'
import { countedOf, isQuotaOf, useCountQuota, useQuotas, useSetQuota } from '../../../data/quotas.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Section } from '../section.tsx'
import { amountOf, countOf, draftOf, type QuotaDraft } from './quota-draft.ts'

const TEXTS = { everybody: 'quota.everybody.text', group: 'quota.group.text', user: 'quota.user.text' } as const

/** The quota of a person, of a group, or of everybody, for administrators. Saved on its own, not with the surrounding form. */
export function QuotaSection({ who }: { who: Subject }) {
  const quotas = useQuotas()
  const quota = quotas?.find((one) => isQuotaOf(one, who)) ?? null
  return (
    <Section title={t('quota.title')} text={t(TEXTS[who.kind])}>
      {quotas !== undefined && <QuotaFields who={who} quota={quota} />}
    </Section>
  )
}

function QuotaFields({ who, quota }: { who: Subject; quota: Quota | null }) {
  const [typed, setTyped] = useState<QuotaDraft | null>(null)
  const set = useSetQuota()
  const saved = draftOf(quota)
  const draft = typed ?? saved
  const [bytes, files] = [amountOf(draft.gigabytes), countOf(draft.files)]
  const isChanged = draft.gigabytes !== saved.gigabytes || draft.files !== saved.files
  const save = () => {
    if (set.isPending || !isChanged || bytes === undefined || files === undefined) return
    const onSuccess = () => {
      setTyped(null)
      notify({ tone: 'success', text: t('quota.saved') })
    }
    set.mutate({ who, bytes, files }, { onSuccess })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Not the surrounding form.
    if (event.key !== 'Enter') return
    event.preventDefault()
    save()
  }
  return (
    <div className="grid gap-6" data-part="quota">
      {quota !== null && <QuotaUse quota={quota} />}
      <TextField
        label={t('quota.size')}
        hint={t('quota.hint')}
        inputMode="decimal"
        autoComplete="off"
        value={draft.gigabytes}
        error={bytes === undefined ? t('quota.bad') : null}
        onValue={(gigabytes) => setTyped({ ...draft, gigabytes })}
        onKeyDown={onKeyDown}
      />
      <TextField
        label={t('quota.files')}
        hint={t('quota.hint')}
        inputMode="numeric"
        autoComplete="off"
        value={draft.files}
        error={files === undefined ? t('quota.bad') : null}
        onValue={(next) => setTyped({ ...draft, files: next })}
        onKeyDown={onKeyDown}
      />
      <div className="row wrap gap-4">
        <Button label={t('quota.save')} size="small" busy={set.isPending} disabled={!isChanged} onClick={save} />
        {quota !== null && <CountAgain who={who} />}
      </div>
    </div>
  )
}

function CountAgain({ who }: { who: Subject }) {
  const count = useCountQuota()
  return (
    <Button
      label={t('quota.count')}
      variant="quiet"
      size="small"
      icon={RefreshCw}
      busy={count.isPending}
      onClick={() => count.mutate(who)}
    />
  )
}

const WARN_AT = 0.9

/** How much of a quota is used. */
function QuotaUse({ quota }: { quota: Quota }) {
  const [bytes, files] = [countedOf(quota.bytes), countedOf(quota.files)]
  if (bytes === null && files === null) return <p className="muted text-small">{t('quota.counting')}</p>
  return (
    <div className="grid gap-4">
      {bytes !== null && <Amount {...bytes} text={t('frame.usage', { used: formatBytes(bytes.used), total: formatBytes(bytes.limit) })} />}
      {files !== null && <Amount {...files} text={t('quota.files.used', files)} />}
    </div>
  )
}

function Amount({ text, used, limit }: { text: string; used: number; limit: number }) {
  const part = limit === 0 ? 1 : used / limit
  return (
    <div className="grid gap-3">
      <bdi className="muted text-caption">{text}</bdi>
      <Progress label={text} value={part} tone={part >= WARN_AT ? 'danger' : 'accent'} />
    </div>
  )
}
