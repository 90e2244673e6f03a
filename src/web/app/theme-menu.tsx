import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react'
import { chooseTheme, type Theme, useTheme } from '../data/theme.ts'
import { type MessageKey, t } from '../i18n/i18n.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../ui/menu.tsx'
import type { MenuEntry } from '../ui/menu-entry.ts'

export const THEMES = [
  { theme: 'light', icon: Sun, text: 'frame.theme.light' },
  { theme: 'dark', icon: Moon, text: 'frame.theme.dark' },
  { theme: 'system', icon: Monitor, text: 'frame.theme.system' },
] as const satisfies { theme: Theme; icon: LucideIcon; text: MessageKey }[]

export function ThemeMenu() {
  const theme = useTheme((state) => state.theme)
  const Icon = THEMES.find((one) => one.theme === theme)?.icon ?? Sun
  return (
    <Menu
      label={t('frame.theme')}
      align="end"
      entries={themeEntries(theme)}
      trigger={(props) => <IconButton {...props} label={t('frame.theme')} icon={Icon} iconSize={19} />}
    />
  )
}

export function themeEntries(current: Theme): MenuEntry[] {
  return THEMES.map(({ theme, icon, text }) => ({
    kind: 'action',
    id: theme,
    label: t(text),
    icon,
    checked: theme === current,
    onSelect: () => chooseTheme(theme),
  }))
}
