import { visible } from '../print.ts'
import type { LeftOut } from './old-database.ts'

/** What was moved, or would be. */
export interface Report {
  /** Whether the settings were taken over. */
  readonly settings: boolean
  readonly accounts: {
    readonly added: readonly string[]
    readonly overwrote: readonly string[]
    /** Here already. */
    readonly kept: readonly string[]
  }
  readonly links: { readonly added: number; readonly kept: number; readonly ended: number; readonly leftOut: readonly LeftOut[] }
  /** What was changed or left out. */
  readonly notes: readonly string[]
}

/** The report for people, line by line. */
export function reportLines({ settings, accounts, links, notes }: Report): string[] {
  const { added, overwrote, kept } = accounts
  const ended = links.ended === 0 ? [] : [`${links.ended} had ended and were left out`]
  const lost = links.leftOut.length === 0 ? [] : [`${links.leftOut.length} left out`]
  return [
    settings ? 'settings: moved' : 'settings: kept as they are here, because there are accounts already; --overwrite takes the old ones',
    `accounts: ${[...counted(added.length, 'moved'), ...counted(overwrote.length, 'overwritten'), ...counted(kept.length, 'here already')].join(', ') || 'none'}`,
    `links: ${[...counted(links.added, 'moved'), ...counted(links.kept, 'here already'), ...ended, ...lost].join(', ') || 'none'}`,
    ...links.leftOut.map(
      ({ hash, path, owner, reason }) =>
        `  ${visible(hash)}  ${owner === '' ? '' : `${visible(owner)}  `}${visible(JSON.stringify(path))}: ${reason}`,
    ),
    ...(notes.length === 0 ? [] : ['changed or left out:', ...notes.map((note) => `  ${note}`)]),
  ]
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`]
}
