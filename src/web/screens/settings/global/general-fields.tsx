import { pageConfig } from '../../../data/page-config.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { RulesEditor } from '../../../widgets/rules-editor.tsx'
import { issueAt } from '../issues.ts'
import { Part, Section } from '../section.tsx'
import { BrandingFields } from './branding-fields.tsx'
import type { problemsOf, SettingsForm } from './form.ts'
import styles from './global-screen.module.css'

export interface GeneralFieldsProps {
  form: SettingsForm
  problems: ReturnType<typeof problemsOf>
  /** What the server refused, each with its place. */
  issues: readonly string[]
  onChange: (part: Partial<SettingsForm>) => void
}

export function GeneralFields({ form, problems, issues, onChange }: GeneralFieldsProps) {
  return (
    <Section title={t('global.general')} text={t('global.general.text')}>
      <div className={styles.switches}>
        <Switch label={t('global.signup')} checked={form.signup} onChecked={(signup) => onChange({ signup })} />
        <Switch
          label={t('global.create-home')}
          hint={t('global.create-home.hint', { base: form.userHomeBasePath })}
          checked={form.createUserDir}
          onChecked={(createUserDir) => onChange({ createUserDir })}
        />
      </div>
      <Part title={t('global.rules')} text={t('global.rules.text')}>
        <RulesEditor rules={form.rules ?? []} onRules={(rules) => onChange({ rules })} />
      </Part>
      {pageConfig.EnableExec && (
        <TextField
          label={t('global.shell')}
          hint={t('global.shell.hint')}
          error={issueAt(issues, 'shell')}
          dir="ltr"
          spellCheck={false}
          autoCapitalize="none"
          placeholder="sh -c"
          value={form.shell}
          onValue={(shell) => onChange({ shell })}
        />
      )}
      <Part title={t('global.branding')}>
        <BrandingFields branding={form.branding} issues={issues} onBranding={(branding) => onChange({ branding })} />
      </Part>
      <div>
        <MoreFields form={form} problems={problems} issues={issues} onChange={onChange} />
      </div>
    </Section>
  )
}

/** What few ever change. */
function MoreFields({ form, problems, issues, onChange }: GeneralFieldsProps) {
  return (
    <Disclosure label={t('global.more')} open={problems.size > 0}>
      <TextField
        label={t('global.password-length')}
        inputMode="numeric"
        error={problems.has('minimumPasswordLength') ? t('global.no-number') : issueAt(issues, 'minimumPasswordLength')}
        value={form.minimumPasswordLength}
        onValue={(minimumPasswordLength) => onChange({ minimumPasswordLength })}
      />
      <TextField
        label={t('global.activity-days')}
        hint={t('global.activity-days.hint')}
        inputMode="numeric"
        error={problems.has('activityDays') ? t('global.no-number') : issueAt(issues, 'activityDays')}
        value={form.activityDays}
        onValue={(activityDays) => onChange({ activityDays })}
      />
      <TextField
        label={t('global.home-base')}
        hint={t('global.home-base.hint')}
        error={issueAt(issues, 'userHomeBasePath')}
        dir="ltr"
        spellCheck={false}
        value={form.userHomeBasePath}
        onValue={(userHomeBasePath) => onChange({ userHomeBasePath })}
      />
      <Switch
        label={t('global.hide-login')}
        hint={t('global.hide-login.hint')}
        checked={form.hideLoginButton}
        onChecked={(hideLoginButton) => onChange({ hideLoginButton })}
      />
      <TextField
        label={t('global.chunk-size')}
        hint={t('global.chunk-size.hint')}
        error={problems.has('chunkSize') ? t('global.no-size') : issueAt(issues, 'tus.chunkSize')}
        value={form.chunkSize}
        onValue={(chunkSize) => onChange({ chunkSize })}
      />
      <TextField
        label={t('global.retries')}
        inputMode="numeric"
        error={problems.has('retryCount') ? t('global.no-number') : issueAt(issues, 'tus.retryCount')}
        value={form.retryCount}
        onValue={(retryCount) => onChange({ retryCount })}
      />
    </Disclosure>
  )
}
