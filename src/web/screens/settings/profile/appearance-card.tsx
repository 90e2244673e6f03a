import { Monitor, Moon, Sun } from 'lucide-react'
import { chooseTheme, type Theme, useTheme } from '../../../data/theme.ts'
import { type MessageKey, t } from '../../../i18n/i18n.tsx'
import { Card } from '../../../ui/card.tsx'
import { classes } from '../../../ui/classes.ts'
import styles from './appearance-card.module.css'

const THEMES: readonly { theme: Theme; icon: typeof Sun; text: MessageKey }[] = [
  { theme: 'light', icon: Sun, text: 'frame.theme.light' },
  { theme: 'dark', icon: Moon, text: 'frame.theme.dark' },
  { theme: 'system', icon: Monitor, text: 'frame.theme.system' },
]

/** The theme of this browser; it follows the choice at once (decision 30). */
export function AppearanceCard() {
  const theme = useTheme((state) => state.theme)
  return (
    <Card title={t('settings.appearance')} text={t('settings.appearance.text')}>
      <div className={styles.themes} role="radiogroup" aria-label={t('frame.theme')}>
        {THEMES.map(({ theme: one, icon: Icon, text }) => (
          <label key={one} className={styles.theme}>
            <input type="radio" className={styles.input} name="theme" checked={theme === one} onChange={() => chooseTheme(one)} />
            <span className={classes(styles.picture, styles[one])} aria-hidden>
              <span className={styles.rail} />
              <span className={styles.sheet}>
                <span />
                <span />
                <span />
              </span>
            </span>
            <span className={styles.name}>
              <Icon size={16} strokeWidth={1.75} aria-hidden />
              {t(text)}
            </span>
          </label>
        ))}
      </div>
    </Card>
  )
}
