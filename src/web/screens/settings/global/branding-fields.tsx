import type { Branding } from '../../../../shared/contract/settings.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { issueAt } from '../issues.ts'
import styles from './global-screen.module.css'

export interface BrandingFieldsProps {
  branding: Branding
  issues: readonly string[]
  onBranding: (branding: Branding) => void
}

/** Branding; takes effect when a page is loaded. */
export function BrandingFields({ branding, issues, onBranding }: BrandingFieldsProps) {
  const change = (part: Partial<Branding>) => onBranding({ ...branding, ...part })
  return (
    <>
      <TextField
        label={t('global.name')}
        hint={t('global.name.hint')}
        error={issueAt(issues, 'branding.name')}
        value={branding.name}
        onValue={(name) => change({ name })}
      />
      <div className="grid items-start gap-3">
        <span className="text-small strong" aria-hidden>
          {t('global.theme')}
        </span>
        <Segmented
          label={t('global.theme')}
          // Light is stored as an empty string.
          value={branding.theme === 'light' ? '' : branding.theme}
          options={[
            { value: '', label: t('frame.theme.light') },
            { value: 'dark', label: t('frame.theme.dark') },
            { value: 'system', label: t('frame.theme.system') },
          ]}
          onValue={(theme) => change({ theme })}
        />
        <p className="faint text-caption">{t('global.theme.hint')}</p>
      </div>
      <TextField
        label={t('global.colour')}
        hint={t('global.colour.hint')}
        error={issueAt(issues, 'branding.color')}
        dir="ltr"
        spellCheck={false}
        placeholder="#0a6b7c"
        value={branding.color}
        onValue={(color) => change({ color })}
        end={
          <input
            type="color"
            className={styles.colour}
            aria-label={t('global.colour.pick')}
            value={/^#[0-9a-f]{6}$/i.test(branding.color) ? branding.color : '#0a6b7c'}
            onChange={(event) => change({ color: event.target.value })}
          />
        }
      />
      <TextField
        label={t('global.branding-files')}
        hint={t('global.branding-files.hint')}
        error={issueAt(issues, 'branding.files')}
        dir="ltr"
        spellCheck={false}
        placeholder="/etc/satchel/branding"
        value={branding.files}
        onValue={(files) => change({ files })}
      />
      <div className={styles.switches}>
        <Switch
          label={t('global.no-external')}
          checked={branding.disableExternal}
          onChecked={(disableExternal) => change({ disableExternal })}
        />
        <Switch
          label={t('global.no-usage')}
          checked={branding.disableUsedPercentage}
          onChecked={(disableUsedPercentage) => change({ disableUsedPercentage })}
        />
      </div>
    </>
  )
}
