import type { ViewMode } from '../../../../shared/contract/users.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
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
  const change = (part: Partial<Defaults>) => onDefaults({ ...defaults, ...part })
  const strong = defaults.perm.admin || (pageConfig.EnableExec && (defaults.perm.execute || defaults.commands.trim() !== ''))
  return (
    <Section title={t('global.defaults')} text={t('global.defaults.text')}>
      <TextField
        label={t('user.reach')}
        verbatim
        hint={t('user.scope.hint')}
        error={issueAt(issues, 'defaults.scope')}
        dir="ltr"
        value={defaults.scope}
        onValue={(scope) => change({ scope })}
      />
      <LanguageSelect locale={defaults.locale} onLocale={(locale) => change({ locale })} />
      <Part title={t('user.permissions')}>
        <PermissionFields perm={defaults.perm} execution={pageConfig.EnableExec} onPerm={(perm) => change({ perm })} />
        {pageConfig.EnableExec && (
          <TextField
            label={t('user.commands')}
            verbatim
            hint={t('user.commands.hint')}
            dir="ltr"
            value={defaults.commands}
            onValue={(commands) => change({ commands })}
          />
        )}
        {strong && <p className="faint text-caption">{t('global.defaults.never')}</p>}
      </Part>
      <Part title={t('global.defaults.look')}>
        <div className="grid items-start gap-3">
          <Segmented<ViewMode>
            label={t('global.defaults.view')}
            value={defaults.viewMode}
            options={[
              { value: 'list', label: t('files.view.list') },
              { value: 'mosaic', label: t('files.view.mosaic') },
            ]}
            onValue={(viewMode) => change({ viewMode })}
          />
        </div>
        <div className={styles.switches}>
          <Switch
            label={t('global.defaults.hide-dotfiles')}
            checked={defaults.hideDotfiles}
            onChecked={(hideDotfiles) => change({ hideDotfiles })}
          />
          <Switch
            label={t('global.defaults.single-click')}
            checked={defaults.singleClick}
            onChecked={(singleClick) => change({ singleClick })}
          />
        </div>
      </Part>
    </Section>
  )
}
