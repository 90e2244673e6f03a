import type { Branding } from '../../../../shared/contract/settings.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldsOf } from '../../../widgets/form-fields.ts'
import { issueAt } from '../issues.ts'
import styles from './global-screen.module.css'

export interface BrandingFieldsProps {
  branding: Branding
  issues: readonly string[]
  onBranding: (branding: Branding) => void
}

/** Branding; takes effect when a page is loaded. */
export function BrandingFields({ branding, issues, onBranding }: BrandingFieldsProps) {
  const { value, checked } = fieldsOf(branding, onBranding, (name) => issueAt(issues, `branding.${name}`))
  return (
    <>
      <TextField label={t('global.name')} hint={t('global.name.hint')} {...value('name')} />
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
          onValue={value('theme').onValue}
        />
        <p className="faint text-caption">{t('global.theme.hint')}</p>
      </div>
      <TextField
        label={t('global.colour')}
        hint={t('global.colour.hint')}
        dir="ltr"
        spellCheck={false}
        placeholder="#0a6b7c"
        {...value('color')}
        end={
          <input
            type="color"
            className={styles.colour}
            aria-label={t('global.colour.pick')}
            value={/^#[0-9a-f]{6}$/i.test(branding.color) ? branding.color : '#0a6b7c'}
            onChange={(event) => value('color').onValue(event.target.value)}
          />
        }
      />
      <TextField
        label={t('global.branding-files')}
        hint={t('global.branding-files.hint')}
        dir="ltr"
        spellCheck={false}
        placeholder="/etc/satchel/branding"
        {...value('files')}
      />
      <div className={styles.switches}>
        <Switch label={t('global.no-external')} {...checked('disableExternal')} />
        <Switch label={t('global.no-usage')} {...checked('disableUsedPercentage')} />
      </div>
    </>
  )
}
