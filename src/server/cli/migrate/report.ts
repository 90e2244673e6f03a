import { visible } from '../print.ts'
import type { LeftOut } from './old-database.ts'

/** What was moved, or would be. */
export interface Report {
  /** Why the served folder is probably the wrong one; null if it is not. */
  readonly doubt: string | null
  /** Whether the settings were taken over. */
  readonly settings: boolean
  readonly accounts: {
    readonly added: readonly string[]
    readonly overwrote: readonly string[]
    /** Here already. */
    readonly kept: readonly string[]
  }
  readonly links: {
    readonly added: number
    readonly kept: number
    readonly ended: number
    readonly leftOut: readonly LeftOut[]
    /** Of the added ones, those that do not open, and why. */
    readonly closed: readonly LeftOut[]
  }
  /** What was changed or left out. */
  readonly notes: readonly string[]
}

/** So many of a kind are shown on a terminal. */
const SHOWN_LINKS = 5
const SHOWN_NOTES = 20
const SHOWN_LENGTH = 300
const IN_FILE = '; --report writes all of them to a file'

/** The report for people, line by line. @param options.whole without it, long lists are cut */
export function reportLines({ doubt, settings, accounts, links, notes }: Report, { whole }: { whole: boolean }): string[] {
  const { added, overwrote, kept } = accounts
  const most = (count: number): number => (whole ? Number.POSITIVE_INFINITY : count)
  const ended = links.ended === 0 ? [] : [`${links.ended} had ended and were left out`]
  return [
    ...(doubt === null ? [] : [`WARNING: ${doubt}`]),
    settings ? 'settings: moved' : 'settings: kept as they are here, because there are accounts already; --overwrite takes the old ones',
    `accounts: ${[...counted(added.length, 'moved'), ...counted(overwrote.length, 'overwritten'), ...counted(kept.length, 'here already')].join(', ') || 'none'}`,
    `links: ${[...counted(links.added, 'moved'), ...counted(links.kept, 'here already'), ...ended, ...counted(links.leftOut.length, 'left out')].join(', ') || 'none'}`,
    ...byReason(links.leftOut).flatMap(([reason, list]) => [
      `${list.length} left out: ${reason}`,
      ...cut(list.map(described), most(SHOWN_LINKS), IN_FILE),
    ]),
    ...byReason(links.closed).flatMap(([reason, list]) => [
      `${list.length} moved, but answering 404: ${reason}`,
      // All of them: somebody has to decide about each.
      `  ${list.map(({ hash }) => visible(hash)).join(' ')}`,
    ]),
    ...(notes.length === 0 ? [] : ['changed or left out:', ...cut(whole ? notes : notes.map(shortened), most(SHOWN_NOTES), IN_FILE)]),
  ]
}

/** Some name every account that they are about. */
function shortened(note: string): string {
  return note.length <= SHOWN_LENGTH ? note : `${note.slice(0, SHOWN_LENGTH)}…${IN_FILE}`
}

/** The most frequent reason first. */
function byReason(links: readonly LeftOut[]): [reason: string, links: LeftOut[]][] {
  return [...Map.groupBy(links, ({ reason }) => visible(reason))].toSorted(([, a], [, b]) => b.length - a.length)
}

function described({ hash, path, owner }: LeftOut): string {
  return `${visible(hash)}  ${owner === '' ? '' : `${visible(owner)}  `}${visible(JSON.stringify(path))}`
}

/** The first lines, indented, and how many more there are. */
export function cut(lines: readonly string[], most: number, where = ''): string[] {
  const more = lines.length - most
  return [...lines.slice(0, most).map((line) => `  ${line}`), ...(more > 0 ? [`  … and ${more} more${where}`] : [])]
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`]
}
