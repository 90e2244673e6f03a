import {
  Bell,
  CircleHelp,
  Clock,
  FolderOpen,
  Languages,
  Link2,
  LogOut,
  Redo2,
  Search,
  Settings,
  Star,
  Terminal,
  TextSearch,
  Trash2,
  UsersRound,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Gesture } from '../../../shared/contract/operations.ts'
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
import { redoLatest, undoLatest } from '../../data/undo.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { keysText } from '../../i18n/keys.ts'
import { LANGUAGES, pickLanguage } from '../../../shared/languages.ts'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import { gestureText } from '../../widgets/gesture-text.ts'
import { settingsTabs } from '../settings-routes.tsx'
import { THEMES } from '../theme-menu.tsx'
import type { Findable } from './rank-matches.ts'

/** A row of the palette. */
export interface Entry extends Findable {
  readonly id: string
  readonly icon: ReactNode
  /** Stored name of a file or folder. */
  readonly name?: string
  /** Its parent folder. */
  readonly detail?: string | undefined
  readonly keys?: string | undefined
  readonly danger?: boolean
  /** For choices: whether this one is selected. */
  readonly checked?: boolean
  readonly run: () => void
  /** Shows the file or folder in its parent folder. */
  readonly reveal?: () => void
}

/** Navigates to an address of the application. */
export type Go = (url: string, options?: { state: unknown }) => void

const ICON = { size: 18, strokeWidth: 1.75 }

export function commandEntries(commands: readonly PaletteCommand[]): Entry[] {
  return commands.map(({ icon: Icon, ...command }) => ({ ...command, icon: <Icon {...ICON} /> }))
}

/** Opens a file or folder, or shows it in its parent folder. `state`: navigation state of the opened address; `root`: name of the root. */
export function pathEntry(
  { path, isDir }: { path: FilePath; isDir: boolean },
  { go, state, root }: { go: Go; state: unknown; root: string },
): Entry {
  const name = nameOf(path)
  const parent = parentOf(path)
  return {
    id: path,
    text: displayName(name),
    name,
    detail: parent === ROOT ? root : displayName(parent.slice(1)),
    // The icon is too small for an extension label; the row shows the name.
    icon: <EntryIcon name={name} type={isDir ? '' : (fileType(name) ?? 'blob')} isDir={isDir} size={20} />,
    run: () => go(urlFromPath(path, { folder: isDir }), { state }),
    reveal: () => go(urlFromPath(parent, { folder: true }), { state: { focus: name, reveal: true } }),
  }
}

/** Navigation targets that always exist. */
export function navigationEntries(go: Go): Entry[] {
  const perm = useSession.getState().user?.perm
  return [
    { id: 'files', text: t('sidebar.my-files'), icon: <FolderOpen {...ICON} />, run: () => go('/files/') },
    { id: 'favourites', text: t('title.favourites'), also: t('sidebar.pinned'), icon: <Star {...ICON} />, run: () => go('/favourites') },
    { id: 'with-me', text: t('title.with-me'), icon: <UsersRound {...ICON} />, run: () => go('/with-me') },
    ...(perm?.admin || perm?.share ? [{ id: 'by-me', text: t('title.by-me'), icon: <Link2 {...ICON} />, run: () => go('/shared') }] : []),
    { id: 'recents', text: t('title.recent'), icon: <Clock {...ICON} />, run: () => go('/recent') },
    ...(perm?.admin || perm?.create || perm?.delete
      ? [{ id: 'trash', text: t('title.trash'), icon: <Trash2 {...ICON} />, run: () => go('/trash') }]
      : []),
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

/** Searches file contents for the typed text, if the user may read contents. */
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
    checked: theme === now,
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
    checked: one.code === code,
    run: () => void saveProfile({ locale: one.code }).catch((error: unknown) => notify({ tone: 'error', text: errorText(error) })),
  }))
}

/** @param latest what can be taken back and done again, as far as is known */
export function undoEntries(latest: { undo: Gesture | null; redo: Gesture | null } | undefined): Entry[] {
  const of = (id: 'undo' | 'redo', gesture: Gesture | null | undefined, entry: Pick<Entry, 'icon' | 'keys' | 'run'>): Entry[] =>
    gesture ? [{ id, text: t(`${id}.command`, { what: gestureText(gesture) }), ...entry }] : []
  return [
    ...of('undo', latest?.undo, { icon: <Undo2 {...ICON} />, keys: keysText('Mod', 'Z'), run: undoLatest }),
    ...of('redo', latest?.redo, { icon: <Redo2 {...ICON} />, keys: keysText('Mod', 'Shift', 'Z'), run: redoLatest }),
  ]
}

/** Commands of the page layout. */
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
