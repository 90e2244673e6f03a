import { REACHES } from '../../shared/contract/explain.ts'
import { FILE_RIGHTS, type Grant } from '../../shared/contract/rights.ts'
import type { Rule } from '../../shared/contract/users.ts'
import { type FilePath, isWithin, pathFrom, placeUnder } from '../../shared/file-path.ts'
import { matcherOf } from '../../shared/rules.ts'
import { cleanScope } from '../../shared/scope.ts'
import { type Access, rightsInScope } from '../access/access.ts'
import type { Counted } from '../index/tree-index.ts'
import { accessOf, grantsIn, ownRights } from '../users/access-of.ts'
import type { Standing } from './planned.ts'

/** Of `REACHES`, as bits: the first is seeing, without which there are no others. */
export type ReachBits = number
export type Reach = (typeof REACHES)[number]

export const NO_REACH: ReachBits = 0
const SEES: ReachBits = 1

/** What is not done with a folder or a file: there is no operation that the right would allow. */
const NOT_OF_FOLDERS = bitsOf(['modify'])
const NOT_OF_FILES = bitsOf(['create'])

export function bitsOf(names: readonly Reach[]): ReachBits {
  return names.reduce((bits, name) => bits | (1 << REACHES.indexOf(name)), NO_REACH)
}

export function namesOf(bits: ReachBits): Reach[] {
  return REACHES.filter((_, at) => (bits & (1 << at)) !== 0)
}

export function ofKind(bits: ReachBits, { isFolder }: { isFolder: boolean }): ReachBits {
  return bits & ~(isFolder ? NOT_OF_FOLDERS : NOT_OF_FILES)
}

/** An Access, and where its folder really is. */
export interface Eye {
  readonly access: Access
  /** Of the storage, links resolved. */
  readonly scope: FilePath
}

/** @param scope null if the folder does not exist */
export function eyeOf({ account, settings, granted }: Standing, scope: FilePath | null): Eye | null {
  return scope === null ? null : { access: accessOf(account, settings, granted), scope }
}

/** What somebody may do with a node, whatever its kind. */
export function reachOf(eye: Eye | null, place: FilePath): ReachBits {
  const path = eye === null ? null : pathFrom(eye.scope, place)
  if (eye === null || path === null || eye.access.rules.verdict(path) !== 'shown') return NO_REACH
  const may = rightsInScope(eye.access, path)
  return SEES | bitsOf(FILE_RIGHTS.filter((right) => may[right]))
}

/** What somebody may do with everything below a folder; null where that differs, or cannot be known without reading the tree. */
export interface ReachBelow {
  readonly bits: ReachBits
  readonly counted: Counted
}

export function reachBelow(eye: Eye | null, folder: FilePath): ReachBelow | null {
  const path = eye === null ? null : pathFrom(eye.scope, folder)
  if (eye === null || path === null) return eye !== null && isWithin(eye.scope, folder) ? null : NOTHING_BELOW
  const { rules } = eye.access
  if (rules.hidesBelow(path)) return NOTHING_BELOW
  const shown = rules.shownBelow(path)
  if (rules.verdict(path) !== 'shown' || shown === 'unknown' || !rules.grants.isSameBelow(path)) return null
  return { bits: reachOf(eye, folder), counted: { dotfiles: shown === 'all' } }
}

const NOTHING_BELOW: ReachBelow = { bits: NO_REACH, counted: { dotfiles: true } }

/** Both, where one question to the index counts all nodes for which they differ. */
export function reachesBelow(before: Eye | null, after: Eye | null, folder: FilePath) {
  const [was, willBe] = [reachBelow(before, folder), reachBelow(after, folder)]
  if (was === null || willBe === null) return null
  if (was.bits !== NO_REACH && willBe.bits !== NO_REACH && was.counted.dotfiles !== willBe.counted.dotfiles) return null
  return { was: was.bits, willBe: willBe.bits, counted: (willBe.bits === NO_REACH ? was : willBe).counted }
}

/**
 * Where two standings can differ: below these places of the storage, in Unicode NFC; null for everywhere. Only to skip what cannot differ: what is not
 * below a path that only one of them names is decided by the same rule and the same grant.
 */
export function placesOfDifference(before: Standing, after: Standing, scope: FilePath): FilePath[] | null {
  const [one, other] = [before.account, after.account]
  if (one.scope !== other.scope || one.hideDotfiles !== other.hideDotfiles) return null
  const may = [ownRights(one, before.granted), ownRights(other, after.granted)]
  if (!Bun.deepEquals(may[0], may[1])) return null
  const rules = between(rulesOf(before), rulesOf(after))
  const grants = may[0]?.admin === true ? [] : between(grantsOf(before), grantsOf(after))
  if (rules.some(({ regex }) => regex) || grants.some(({ regex }) => regex)) return null
  const paths = [...rules.map((rule) => matcherOf(rule).path), ...grants.map(({ path }) => path)]
  return paths.flatMap((path) => (path === null || path === '' ? [] : [placeUnder(scope, path as FilePath).normalize('NFC') as FilePath]))
}

/** What is left of two lists without what they begin and end with in common. */
function between<T>(before: readonly T[], after: readonly T[]): T[] {
  const least = Math.min(before.length, after.length)
  let from = 0
  while (from < least && Bun.deepEquals(before[from], after[from])) from += 1
  let end = 0
  while (end < least - from && Bun.deepEquals(before.at(-1 - end), after.at(-1 - end))) end += 1
  return [...before.slice(from, before.length - end), ...after.slice(from, after.length - end)]
}

function rulesOf({ account, settings, granted }: Standing): Rule[] {
  return [...settings.rules, ...granted.groups.flatMap((group) => group.rules), ...account.rules]
}

function grantsOf({ account, granted }: Standing): Grant[] {
  const scope = cleanScope(account.scope)
  return granted.grants.flatMap((grants) => grantsIn(scope, grants))
}
