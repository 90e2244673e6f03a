import type { ViewMode } from '../../../../shared/contract/users.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldsOf } from '../../../widgets/form-fields.ts'
import { LanguageSelect } from '../../../widgets/language-select.tsx'
import { PermissionFields } from '../../../widgets/permission-fields.tsx'
import { issueAt } from '../issues.ts'
import { Part, Section } from '../section.tsx'
import type { SettingsForm } from './form.ts'
import styles from './global-screen.module.css'

type Defaults = SettingsForm['defaults']

export interface DefaultsFieldsProps {
  defaults: Defaults
  issues: readonly string[]
  onDefaults: (defaults: Defaults) => void
}

/** Defaults for new users. Users who sign up themselves never get admin or commands (invariant I9), which the text below the permissions says. */
export function DefaultsFields({ defaults, issues, onDefaults }: DefaultsFieldsProps) {
  const { value, checked } = fieldsOf(defaults, onDefaults, (name) => issueAt(issues, `defaults.${name}`))
  const strong = defaults.perm.admin || (pageConfig.EnableExec && (defaults.perm.execute || defaults.commands.trim() !== ''))
  return (
    <Section title={t('global.defaults')} text={t('global.defaults.text')}>
      <TextField label={t('user.reach')} verbatim hint={t('user.scope.hint')} dir="ltr" {...value('scope')} />
      <LanguageSelect {...value('locale')} />
      <Part title={t('user.permissions')}>
        <PermissionFields perm={defaults.perm} execution={pageConfig.EnableExec} onPerm={value('perm').onValue} />
        {pageConfig.EnableExec && (
          <TextField label={t('user.commands')} verbatim hint={t('user.commands.hint')} dir="ltr" {...value('commands')} />
        )}
        {strong && <p className="faint text-caption">{t('global.defaults.never')}</p>}
      </Part>
      <Part title={t('global.defaults.look')}>
        <div className="grid items-start gap-3">
          <Segmented<ViewMode>
            label={t('global.defaults.view')}
            options={[
              { value: 'list', label: t('files.view.list') },
              { value: 'mosaic', label: t('files.view.mosaic') },
            ]}
            {...value('viewMode')}
          />
        </div>
        <div className={styles.switches}>
          <Switch label={t('global.defaults.hide-dotfiles')} {...checked('hideDotfiles')} />
          <Switch label={t('global.defaults.single-click')} {...checked('singleClick')} />
        </div>
      </Part>
    </Section>
  )
}
