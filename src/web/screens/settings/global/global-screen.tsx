import { type FormEvent, useState } from 'react'
import type { PlannedChange } from '../../../../shared/contract/explain.ts'
import type { Settings } from '../../../../shared/contract/settings.ts'
import { changedPlaces } from '../../../../shared/changes.ts'
import { notify } from '../../../data/notices.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { useSaveSettings, useSettings } from '../../../data/settings.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { t } from '../../../i18n/i18n.tsx'
import { EffectText } from '../effect/effect-text.tsx'
import frame from '../form.module.css'
import { mayReplace, unsavedQuestion } from '../confirmations.ts'
import { issuesIn } from '../issues.ts'
import { QuotaSection } from '../quotas/quota-section.tsx'
import { RootsSection } from '../roots/roots-section.tsx'
import { SaveBar } from '../save-bar.tsx'
import { CommandRunner } from './command-runner.tsx'
import { CommandStateCard } from './command-state.tsx'
import { DefaultsFields } from './defaults-fields.tsx'
import { formOf, problemsOf, type SettingsForm, settingsOf } from './form.ts'
import { GeneralFields } from './general-fields.tsx'
import styles from './global-screen.module.css'
import { WebhooksCard } from './webhooks-card.tsx'

/** Global settings: general, defaults for new users, hooks and webhooks. */
export function GlobalScreen() {
  const stored = useSettings()
  const [base, setBase] = useState(stored)
  const [form, setForm] = useState(() => formOf(stored))
  const save = useSaveSettings()
  const issues = issuesIn(save.error)
  const mine = settingsOf(form)
  // Normalised by the form, so that stored values with extra spaces do not look changed.
  const before = settingsOf(formOf(base))
  const changed = changedPlaces(before, mine)
  const problems = problemsOf(form)
  const [rulesBefore, rules] = [before.rules ?? [], mine.rules ?? []]
  const planned: PlannedChange | null = changedPlaces({ rules: rulesBefore }, { rules }).length === 0 ? null : { what: 'everybody', rules }
  const change = (part: Partial<SettingsForm>) => setForm({ ...form, ...part })
  const show = (settings: Settings) => {
    setBase(settings)
    setForm(formOf(settings))
  }

  const discard = () => {
    save.reset()
    show(base)
  }
  useUnsavedGuard(changed.length > 0, unsavedQuestion())
  // Show changes of other tabs unless there are unsaved edits here.
  if (stored !== base && changed.length === 0 && !save.isPending) show(stored)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending && problems.size === 0) save.mutate({ base: before, mine, mayReplace }, { onSuccess: onSaved })
  }
  const onSaved = (saved: Settings | null) => {
    if (saved === null) return
    show(saved)
    const commands = changed.filter((place) => place.startsWith('commands.'))
    if (commands.length < changed.length) notify({ tone: 'success', text: t('global.updated') })
    if (commands.length > 0) notify({ tone: 'success', text: t('global.commands-updated') })
  }

  return (
    <form className={frame.form} onSubmit={submit} noValidate aria-label={t('settings.tab.global')} data-part="global">
      <div className={frame.sections}>
        <GeneralFields form={form} problems={problems} issues={issues} onChange={change} />
        <DefaultsFields defaults={form.defaults} issues={issues} onDefaults={(defaults) => change({ defaults })} />
        {pageConfig.EnableExec && <CommandRunner form={form} issues={issues} onChange={change} />}
        <CommandStateCard />
        <RootsSection />
        <QuotaSection who={{ kind: 'everybody', id: 0 }} />
        <WebhooksCard />
      </div>
      {issues.length > 0 && (
        <p className={styles.issues} role="alert">
          {t('form.refused', { reason: issues.join('; ') })}
        </p>
      )}
      <EffectText change={planned} />
      <SaveBar changes={changed.length} label={t('global.update')} busy={save.isPending} onDiscard={discard} />
    </form>
  )
}
