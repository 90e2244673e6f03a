import type { ReactNode } from 'react'
import { t } from '../../../i18n/i18n.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { RulesEditor } from '../../../widgets/rules-editor.tsx'
import { issueAt } from '../issues.ts'
import { useScopePaths } from '../scope-paths.ts'
import { Section } from '../section.tsx'
import { BrandingFields } from './branding-fields.tsx'
import type { problemsOf, SettingsForm } from './form.ts'
import styles from './global-screen.module.css'

export interface GeneralFieldsProps {
  form: SettingsForm
  problems: ReturnType<typeof problemsOf>
  /** Validation errors of the server, with their fields. */
  issues: readonly string[]
  onChange: (part: Partial<SettingsForm>) => void
}

type NumberField = 'minimumPasswordLength' | 'activityDays' | 'retryCount'

/** Sign-up, global rules, branding and uploads. */
export function GeneralFields({ form, problems, issues, onChange }: GeneralFieldsProps) {
  const number = (field: NumberField, place: string, words: { label: string; hint?: string }): ReactNode => (
    <TextField
      {...words}
      inputMode="numeric"
      error={problems.has(field) ? t('global.no-number') : issueAt(issues, place)}
      value={form[field]}
      onValue={(typed) => onChange({ [field]: typed })}
    />
  )
  return (
    <>
      <Section title={t('global.accounts')} text={t('global.accounts.text')}>
        <div className={styles.switches}>
          <Switch label={t('global.signup')} checked={form.signup} onChecked={(signup) => onChange({ signup })} />
          <Switch
            label={t('global.create-home')}
            hint={t('global.create-home.hint', { base: `\u2068${form.userHomeBasePath}\u2069` })}
            checked={form.createUserDir}
            onChecked={(createUserDir) => onChange({ createUserDir })}
          />
          <Switch
            label={t('global.hide-login')}
            hint={t('global.hide-login.hint')}
            checked={form.hideLoginButton}
            onChecked={(hideLoginButton) => onChange({ hideLoginButton })}
          />
          <Switch
            label={t('global.compatibility')}
            hint={t('global.compatibility.hint')}
            checked={form.compatibility === true}
            onChecked={(compatibility) => onChange({ compatibility })}
          />
        </div>
        <TextField
          label={t('global.home-base')}
          hint={t('global.home-base.hint')}
          error={issueAt(issues, 'userHomeBasePath')}
          dir="ltr"
          spellCheck={false}
          value={form.userHomeBasePath}
          onValue={(userHomeBasePath) => onChange({ userHomeBasePath })}
        />
        {number('minimumPasswordLength', 'minimumPasswordLength', { label: t('global.password-length') })}
        {number('activityDays', 'activityDays', { label: t('global.activity-days'), hint: t('global.activity-days.hint') })}
      </Section>
      <GlobalRules form={form} onChange={onChange} />
      <Section title={t('global.branding')} text={t('global.branding.text')}>
        <BrandingFields branding={form.branding} issues={issues} onBranding={(branding) => onChange({ branding })} />
      </Section>
      <Section title={t('global.uploads')} text={t('global.uploads.text')}>
        <TextField
          label={t('global.chunk-size')}
          hint={t('global.chunk-size.hint')}
          error={problems.has('chunkSize') ? t('global.no-size') : issueAt(issues, 'tus.chunkSize')}
          value={form.chunkSize}
          onValue={(chunkSize) => onChange({ chunkSize })}
        />
        {number('retryCount', 'tus.retryCount', { label: t('global.retries') })}
      </Section>
    </>
  )
}

function GlobalRules({ form, onChange }: Pick<GeneralFieldsProps, 'form' | 'onChange'>) {
  const { paths, choose } = useScopePaths('/')
  return (
    <Section title={t('global.rules')} text={t('global.rules.text')}>
      <RulesEditor
        rules={form.rules ?? []}
        subject={t('rules.everybody')}
        paths={paths}
        onChoose={choose}
        onRules={(rules) => onChange({ rules })}
      />
    </Section>
  )
}
