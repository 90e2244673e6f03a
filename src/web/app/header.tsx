import { Bell, CircleHelp, Command, Info, LogOut, Menu as MenuIcon, Search, Settings, Terminal } from 'lucide-react'
import { Link, useNavigate } from '../router/router.tsx'
import { runCommand, useCan } from '../data/commands.ts'
import { pageConfig } from '../data/page-config.ts'
import { PROJECT_URL } from '../data/project.ts'
import { PALETTE_KEYS } from '../data/palette.ts'
import { ask } from '../data/prompts.ts'
import { signOut, useSession } from '../data/session.ts'
import { SHELL_KEYS, useShell } from '../data/shell.ts'
import { keyNames, keysText } from '../i18n/keys.ts'
import { type Theme, useTheme } from '../data/theme.ts'
import { t } from '../i18n/i18n.tsx'
import { buttonClassName } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { Menu } from '../ui/menu.tsx'
import type { MenuEntry } from '../ui/menu-entry.ts'
import { usePhone, useTablet } from '../ui/use-media.ts'
import { Brand } from './brand.tsx'
import styles from './header.module.css'
import { usePaletteOpener } from './palette/open.ts'
import { classes } from '../ui/classes.ts'
import { themeEntries, ThemeMenu } from './theme-menu.tsx'

export function Header({ onMenu }: { onMenu: () => void }) {
  const phone = usePhone()
  const canSearch = useCan('search')
  const canShell = useCan('shell')
  return (
    <header className={classes(styles.header, 'not-printed')} data-part="header">
      {phone && <IconButton label={t('frame.menu')} icon={MenuIcon} iconSize={19} onClick={onMenu} />}
      {(!phone || !canSearch) && <Brand />}
      {canSearch && <SearchPill />}
      <div className="row gap-3 to-end">
        {canShell && !phone && <ShellButton />}
        {!phone && (
          <IconButton label={t('frame.help')} shortcut="F1" icon={CircleHelp} iconSize={19} onClick={() => void ask('help', {})} />
        )}
        {!phone && <ThemeMenu />}
        <Account />
      </div>
    </header>
  )
}

function ShellButton() {
  const open = useShell((state) => state.open)
  return (
    <IconButton
      label={t('frame.shell')}
      shortcut={keysText(...SHELL_KEYS)}
      icon={Terminal}
      iconSize={19}
      pressed={open}
      onClick={() => runCommand('shell')}
    />
  )
}

function SearchPill() {
  return (
    <button type="button" className={styles.search} data-part="search" onClick={() => runCommand('search')}>
      <Search size={18} strokeWidth={1.75} aria-hidden />
      <span className="grow text-start truncated">{t('frame.search')}</span>
      <span className={styles.searchKey} aria-hidden>
        <Kbd keys={keyNames(['Mod', 'F'])} />
      </span>
    </button>
  )
}

/** Account menu with Sign out; on phones it also has the actions that do not fit in the header. */
function Account() {
  const user = useSession((state) => state.user)
  const theme = useTheme((state) => state.theme)
  const phone = usePhone()
  const tablet = useTablet()
  const navigate = useNavigate()
  const openPalette = usePaletteOpener()
  const canShell = useCan('shell')
  if (user === null) {
    if (!pageConfig.LoginPage || pageConfig.HideLoginButton) return null
    return (
      <Link to="/login" className={buttonClassName({ variant: 'primary' })}>
        {t('sidebar.login')}
      </Link>
    )
  }
  const entries: MenuEntry[] = [
    { kind: 'heading', id: 'who', label: user.username },
    { kind: 'separator', id: 'below-who' },
    { kind: 'action', id: 'palette', label: t('palette.title'), icon: Command, shortcut: keysText(...PALETTE_KEYS), onSelect: openPalette },
    { kind: 'action', id: 'settings', label: t('sidebar.settings'), icon: Settings, onSelect: () => void navigate('/settings') },
    { kind: 'action', id: 'notices', label: t('frame.notices.past'), icon: Bell, onSelect: () => void ask('notices', {}) },
    ...(phone ? phoneEntries(theme, { shell: canShell }) : []),
    ...(tablet ? aboutEntries() : []),
    ...(pageConfig.AuthMethod === 'json' ? logoutEntries() : []),
  ]
  return (
    <Menu
      label={t('frame.account')}
      align="end"
      entries={entries}
      trigger={(props) => (
        <button
          {...props}
          type="button"
          className={styles.account}
          aria-label={`${t('frame.account')}: ${user.username}`}
          data-part="account"
        >
          <span aria-hidden>{initialOf(user.username)}</span>
        </button>
      )}
    />
  )
}

function phoneEntries(theme: Theme, { shell }: { shell: boolean }): MenuEntry[] {
  return [
    ...(shell ? [shellEntry()] : []),
    { kind: 'action', id: 'help', label: t('frame.help'), icon: CircleHelp, onSelect: () => void ask('help', {}) },
    { kind: 'separator', id: 'above-theme' },
    ...themeEntries(theme),
  ]
}

function shellEntry(): MenuEntry {
  return { kind: 'action', id: 'shell', label: t('frame.shell'), icon: Terminal, onSelect: () => runCommand('shell') }
}

/** The collapsed sidebar has no footer. */
function aboutEntries(): MenuEntry[] {
  const label = `Satchel ${pageConfig.Version}`
  return pageConfig.DisableExternal
    ? [{ kind: 'action', id: 'version', label, icon: Info, disabled: true, onSelect: () => undefined }]
    : [{ kind: 'link', id: 'project', label, icon: Info, href: PROJECT_URL }]
}

function logoutEntries(): MenuEntry[] {
  return [
    { kind: 'separator', id: 'above-logout' },
    { kind: 'action', id: 'logout', label: t('sidebar.logout'), icon: LogOut, onSelect: () => void signOut() },
  ]
}

function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return (first?.segment ?? '?').toLocaleUpperCase()
}
