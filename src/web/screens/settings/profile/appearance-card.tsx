import { chooseTheme, type Theme, useTheme } from '../../../data/theme.ts'
import { type MessageKey, t } from '../../../i18n/i18n.tsx'
import { Card } from '../../../ui/card.tsx'
import { classes } from '../../../ui/classes.ts'
import styles from './appearance-card.module.css'

const THEMES: readonly { theme: Theme; text: MessageKey }[] = [
  { theme: 'light', text: 'frame.theme.light' },
  { theme: 'dark', text: 'frame.theme.dark' },
  { theme: 'system', text: 'settings.theme.system' },
]

/** Theme of this browser; applied at once. */
export function AppearanceCard() {
  const theme = useTheme((state) => state.theme)
  return (
    <Card title={t('settings.appearance')} text={t('settings.appearance.text')}>
      <div className={styles.themes} role="radiogroup" aria-label={t('frame.theme')}>
        {THEMES.map(({ theme: one, text }) => (
          <label key={one} className={styles.theme}>
            <input type="radio" name="theme" checked={theme === one} onChange={() => chooseTheme(one)} />
            <span className={styles.picture} aria-hidden>
              <SmallPage theme={one === 'dark' ? 'dark' : 'light'} />
              {one === 'system' && <SmallPage theme="dark" half />}
            </span>
            <span className={styles.name}>{t(text)}</span>
          </label>
        ))}
      </div>
    </Card>
  )
}

/** Miniature page in the colours of a theme. */
function SmallPage({ theme, half }: { theme: 'light' | 'dark'; half?: boolean }) {
  return (
    <span className={classes(styles.page, styles[theme], half && styles.half)}>
      <span className={styles.rail} />
      <span className={styles.sheet}>
        <span />
        <span />
        <span />
      </span>
    </span>
  )
}
