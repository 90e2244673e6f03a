import type { Permissions } from '../../../shared/contract/users.ts'

export interface Offer {
  /** Without it the action is not offered; the server decides all the same. */
  readonly right: keyof Permissions | null
  /** A second one. */
  readonly also?: keyof Permissions
  /**
   * How many entries it is about. `held`: what the clipboard holds. `archive`: one that can be opened. `folder`: one, or none for the one on show.
   * `starred` and `unstarred`: what all is so, or the folder on show.
   */
  readonly about: 'nothing' | 'one' | 'some' | 'held' | 'archive' | 'folder' | 'starred' | 'unstarred'
  /** It reads what is selected: not for links that lead nowhere. */
  readonly reads?: true
}

/** To whom, and with how much selected, each action is offered; `test/contract/offered-actions.test.ts` holds it against what the server lets in. */
export const OFFERS = {
  open: { right: null, about: 'one' },
  download: { right: 'download', about: 'nothing', reads: true },
  share: { right: 'share', about: 'one', reads: true },
  star: { right: null, about: 'unstarred' },
  unstar: { right: null, about: 'starred' },
  rename: { right: 'rename', about: 'one' },
  cut: { right: 'rename', about: 'some' },
  'copy-held': { right: 'create', about: 'some', reads: true },
  paste: { right: null, about: 'held' },
  copy: { right: 'create', about: 'some', reads: true },
  move: { right: 'rename', about: 'some' },
  'extract-here': { right: 'create', also: 'download', about: 'archive', reads: true },
  'extract-to': { right: 'create', also: 'download', about: 'archive', reads: true },
  compress: { right: 'create', also: 'download', about: 'some', reads: true },
  delete: { right: 'delete', about: 'some' },
  usage: { right: null, about: 'folder' },
  info: { right: null, about: 'nothing' },
  'upload-files': { right: 'create', about: 'nothing' },
  'upload-folder': { right: 'create', about: 'nothing' },
  'new-folder': { right: 'create', about: 'nothing' },
  'new-file': { right: 'create', about: 'nothing' },
  'select-all': { right: null, about: 'nothing' },
  'select-multiple': { right: null, about: 'nothing' },
  filter: { right: null, about: 'nothing' },
  clear: { right: null, about: 'nothing' },
  parent: { right: null, about: 'nothing' },
} as const satisfies Record<string, Offer>

export type ActionName = keyof typeof OFFERS

export interface Situation {
  readonly perm: Permissions
  readonly selected: number
  /** Whether the one that is selected is an archive. */
  readonly archive: boolean
  /** Whether the one that is selected is a folder. */
  readonly folder: boolean
  /** Whether all that is selected are links that lead nowhere. */
  readonly broken: boolean
  /** Whether everything selected, or else the folder on show, is a favourite; null where that can be none. */
  readonly starred: boolean | null
  /** What a paste would do here. */
  readonly held: 'copy' | 'move' | null
}

/** Administrators may everything. */
export function may(perm: Permissions, right: keyof Permissions): boolean {
  return perm.admin || perm[right]
}

export function isOffered(name: ActionName, { perm, selected, archive, folder, broken, starred, held }: Situation): boolean {
  const { right, also, about, reads }: Offer = OFFERS[name]
  if (reads === true && selected > 0 && broken) return false
  if (![right, also ?? right].every((one) => one === null || may(perm, one))) return false
  if (about === 'archive') return selected === 1 && archive
  if (about === 'folder') return selected === 0 || (selected === 1 && folder)
  if (about === 'starred') return starred === true
  if (about === 'unstarred') return starred === false
  if (about === 'one') return selected === 1
  if (about === 'some') return selected > 0
  if (about === 'held') return held !== null && may(perm, held === 'copy' ? 'create' : 'rename')
  return true
}
