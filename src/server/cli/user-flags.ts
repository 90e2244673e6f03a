import { RIGHTS } from '../access/permissions.ts'
import type { Flag, FlagValues } from './command.ts'
import { withValue } from './records.ts'

/** Flags that accounts and the defaults of new accounts have in common. */
export const DEFAULTS_FLAGS: readonly Flag[] = [
  { name: 'scope', kind: 'text', about: 'folder of the account, below the served one' },
  { name: 'locale', kind: 'text', about: 'language, such as de; empty for the browser’s' },
  { name: 'viewMode', kind: 'text', about: 'list or mosaic' },
  { name: 'singleClick', kind: 'switch', about: 'open with one click' },
  { name: 'redirectAfterCopyMove', kind: 'switch', about: 'go to the target after copying and moving' },
  { name: 'hideDotfiles', kind: 'switch', about: 'hide names with a leading dot' },
  { name: 'dateFormat', kind: 'switch', about: 'exact times instead of relative ones' },
  { name: 'aceEditorTheme', kind: 'text', about: 'theme of the text editor' },
  { name: 'sorting.by', kind: 'text', about: 'name, size or modified' },
  { name: 'sorting.asc', kind: 'switch', about: 'the other way round' },
  { name: 'commands', kind: 'list', about: 'programs of the command panel, with commas' },
  ...RIGHTS.map((right): Flag => ({ name: `perm.${right}`, kind: 'switch', about: right === 'admin' ? 'everything' : `may ${right}` })),
]

export const USER_FLAGS: readonly Flag[] = [
  ...DEFAULTS_FLAGS,
  { name: 'lockPassword', kind: 'switch', about: 'only an administrator changes the password' },
  { name: 'webdavDisabled', kind: 'switch', about: 'programs do not reach its files by WebDAV' },
]

/** The record with the flags applied; the rest is unchanged. */
export function applyFlags(record: Readonly<Record<string, unknown>>, flags: FlagValues, known: readonly Flag[]): Record<string, unknown> {
  let changed: Record<string, unknown> = { ...record }
  for (const { name } of known) {
    const value = flags.get(name)
    if (value !== undefined) changed = withValue(changed, name, value)
  }
  return changed
}
