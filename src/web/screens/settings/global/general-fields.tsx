import { SecondFactorFor } from '../../../../shared/contract/settings.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldsOf } from '../../../widgets/form-fields.ts'
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

/** Sign-up, global rules, trash, versions, branding and uploads. */
export function GeneralFields({ form, problems, issues, onChange }: GeneralFieldsProps) {
  const errorOf = (name: keyof SettingsForm) => {
    if ([...problems].some((one) => one === name)) return t(name === 'chunkSize' ? 'global.no-size' : 'global.no-number')
    return issueAt(issues, name === 'chunkSize' || name === 'retryCount' ? `tus.${name}` : name)
  }
  const { value, checked } = fieldsOf(form, onChange, errorOf)
  return (
    <>
      <Section title={t('global.accounts')} text={t('global.accounts.text')}>
        <div className={styles.switches}>
          <Switch label={t('global.signup')} {...checked('signup')} />
          <Switch
            label={t('global.create-home')}
            hint={t('global.create-home.hint', { base: `\u2068${form.userHomeBasePath}\u2069` })}
            {...checked('createUserDir')}
          />
          <Switch label={t('global.hide-login')} hint={t('global.hide-login.hint')} {...checked('hideLoginButton')} />
          <Switch
            label={t('global.compatibility')}
            hint={t('global.compatibility.hint')}
            checked={form.compatibility === true}
            onChecked={(compatibility) => onChange({ compatibility })}
          />
          <Switch
            label={t('global.webdav')}
            hint={t('global.webdav.hint')}
            checked={form.webdav === true}
            onChecked={(webdav) => onChange({ webdav })}
          />
        </div>
        <Select
          label={t('global.second-factor')}
          hint={t('global.second-factor.hint')}
          value={form.secondFactorFor ?? 'nobody'}
          options={SecondFactorFor.options.map((whom) => ({ value: whom, label: t(`global.second-factor.${whom}`) }))}
          onValue={(secondFactorFor) => onChange({ secondFactorFor })}
        />
        <TextField
          label={t('global.home-base')}
          hint={t('global.home-base.hint')}
          dir="ltr"
          spellCheck={false}
          {...value('userHomeBasePath')}
        />
        <TextField label={t('global.password-length')} inputMode="numeric" {...value('minimumPasswordLength')} />
        <TextField label={t('global.activity-days')} hint={t('global.activity-days.hint')} inputMode="numeric" {...value('activityDays')} />
        <Switch
          label={t('global.activity-addresses')}
          hint={t('global.activity-addresses.hint')}
          checked={form.activityAddresses !== false}
          onChecked={(activityAddresses) => onChange({ activityAddresses })}
        />
      </Section>
      <GlobalRules form={form} onChange={onChange} />
      <Section title={t('title.trash')} text={t('global.trash.text')}>
        <TextField label={t('global.trash.days')} hint={t('global.trash.days.hint')} inputMode="numeric" {...value('trashDays')} />
        <TextField label={t('global.trash.share')} hint={t('global.trash.share.hint')} inputMode="numeric" {...value('trashShare')} />
      </Section>
      <Section title={t('global.versions')} text={t('global.versions.text')}>
        <TextField label={t('global.versions.days')} hint={t('global.versions.days.hint')} inputMode="numeric" {...value('versionDays')} />
        <TextField
          label={t('global.versions.share')}
          hint={t('global.versions.share.hint')}
          inputMode="numeric"
          {...value('versionShare')}
        />
      </Section>
      <Section title={t('global.branding')} text={t('global.branding.text')}>
        <BrandingFields branding={form.branding} issues={issues} onBranding={(branding) => onChange({ branding })} />
      </Section>
      <Section title={t('global.uploads')} text={t('global.uploads.text')}>
        <TextField label={t('global.chunk-size')} hint={t('global.chunk-size.hint')} {...value('chunkSize')} />
        <TextField label={t('global.retries')} inputMode="numeric" {...value('retryCount')} />
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
