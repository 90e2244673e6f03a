import { Bell, CircleHelp, Clock, FolderOpen, Languages, LogOut, Search, Settings, Star, Terminal, TextSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import { type FilePath, nameOf, parentOf, ROOT } from '../../../shared/file-path.ts'
import { fileType } from '../../../shared/file-type.ts'
import { asksContent, parseQuery } from '../../../shared/search-query.ts'
import { canRun, runCommand } from '../../data/commands.ts'
import { notify } from '../../data/notices.ts'
import { pageConfig } from '../../data/page-config.ts'
import type { PaletteCommand } from '../../data/palette.ts'
import { urlFromPath } from '../../data/paths.ts'
import { ask } from '../../data/prompts.ts'
import { saveProfile, signOut, useSession } from '../../data/session.ts'
import { SHELL_KEYS } from '../../data/shell.ts'
import { chooseTheme, useTheme } from '../../data/theme.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { keysText } from '../../i18n/keys.ts'
import { LANGUAGES, pickLanguage } from '../../i18n/languages.ts'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import { settingsTabs } from '../settings-routes.tsx'
import { THEMES } from '../theme-menu.tsx'
import type { Findable } from './choose.ts'

/** A line of the palette. */
export interface Entry extends Findable {
  readonly id: string
  readonly icon: ReactNode
  /** Of a file or folder, as it is stored. */
  readonly name?: string
  /** The folder it is in. */
  readonly detail?: string | undefined
  readonly keys?: string | undefined
  readonly danger?: boolean
  /** With a value it is a choice, and shows whether it is taken. */
  readonly taken?: boolean
  readonly run: () => void
  /** Shows a file or folder where it lies. */
  readonly reveal?: () => void
}

/** Goes to an address of the product. */
export type Go = (url: string, options?: { state: unknown }) => void

const ICON = { size: 18, strokeWidth: 1.75 }

export function deedEntries(deeds: readonly PaletteCommand[]): Entry[] {
  return deeds.map(({ icon: Icon, ...deed }) => ({ ...deed, icon: <Icon {...ICON} /> }))
}

/** A file or folder to open, or to show where it lies. @param state what the address that is opened is to know */
export function placeEntry({ path, isDir }: { path: FilePath; isDir: boolean }, go: Go, state: unknown): Entry {
  const name = nameOf(path)
  const parent = parentOf(path)
  return {
    id: path,
    text: displayName(name),
    name,
    detail: parent === ROOT ? t('files.root') : displayName(parent.slice(1)),
    // Too small for letters: what is seen of an option is what it is called.
    icon: <EntryIcon name={name} type={isDir ? '' : (fileType(name) ?? 'blob')} isDir={isDir} size={20} />,
    run: () => go(urlFromPath(path, { folder: isDir }), { state }),
    reveal: () => go(urlFromPath(parent, { folder: true }), { state: { focus: name, reveal: true } }),
  }
}

/** The places that are always there. */
export function placesEntries(go: Go): Entry[] {
  const perm = useSession.getState().user?.perm
  return [
    { id: 'files', text: t('sidebar.my-files'), icon: <FolderOpen {...ICON} />, run: () => go('/files/') },
    { id: 'favourites', text: t('title.favourites'), also: t('sidebar.pinned'), icon: <Star {...ICON} />, run: () => go('/favourites') },
    { id: 'recents', text: t('title.recent'), icon: <Clock {...ICON} />, run: () => go('/recent') },
    ...(canRun('search') ? [{ id: 'search', text: t('search.title'), icon: <Search {...ICON} />, run: () => runCommand('search') }] : []),
    ...(perm === undefined ? [] : settingsTabs(perm)).map(({ to, label }) => ({
      id: to,
      text: t(label),
      also: t('settings.title'),
      icon: <Settings {...ICON} />,
      run: () => go(to),
    })),
  ]
}

/** A search for what was typed in what is in files, where somebody may read them. */
export function contentEntries(typed: string): Entry[] {
  const text = typed.trim()
  const perm = useSession.getState().user?.perm
  const query = parseQuery(text, new Date())
  if (query.words.length === 0 && !asksContent(query)) return []
  if (!canRun('search') || !(perm?.admin || perm?.download)) return []
  const run = () => void runCommand('search', text)
  return [{ id: 'search contents', text: t('palette.search-contents', { text }), icon: <TextSearch {...ICON} />, run }]
}

export function themeEntries(): Entry[] {
  const now = useTheme.getState().theme
  return THEMES.map(({ theme, icon: Icon, text }): Entry => ({
    id: `theme ${theme}`,
    text: t(text),
    also: t('frame.theme'),
    icon: <Icon {...ICON} />,
    taken: theme === now,
    run: () => chooseTheme(theme),
  }))
}

export function languageEntries(): Entry[] {
  const locale = useSession.getState().user?.locale ?? ''
  const code = locale === '' ? '' : pickLanguage(locale, []).code
  return [{ code: '', name: t('user.language.browser') }, ...LANGUAGES].map((one) => ({
    id: `language ${one.code}`,
    text: one.name,
    also: `${t('settings.language')} ${one.code}`,
    icon: <Languages {...ICON} />,
    taken: one.code === code,
    run: () => void saveProfile({ locale: one.code }).catch((error: unknown) => notify({ tone: 'error', text: errorText(error) })),
  }))
}

/** What the frame can do. */
export function frameEntries(): Entry[] {
  return [
    ...(canRun('shell')
      ? [
          {
            id: 'shell',
            text: t('frame.shell'),
            icon: <Terminal {...ICON} />,
            keys: keysText(...SHELL_KEYS),
            run: () => void runCommand('shell'),
          },
        ]
      : []),
    { id: 'help', text: t('frame.help'), icon: <CircleHelp {...ICON} />, keys: 'F1', run: () => void ask('help', {}) },
    { id: 'notices', text: t('frame.notices.past'), icon: <Bell {...ICON} />, run: () => void ask('notices', {}) },
    ...(pageConfig.AuthMethod === 'json'
      ? [{ id: 'logout', text: t('sidebar.logout'), icon: <LogOut {...ICON} className="mirror" />, run: () => void signOut() }]
      : []),
  ]
}
