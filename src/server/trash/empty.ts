import { detailsOf } from '../../shared/audit-details.ts'
import { fail } from '../../shared/errors.ts'
import { ROOT } from '../../shared/file-path.ts'
import { performerOf, type Viewer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { nodeOf } from './kept-of.ts'
import type { Journal } from '../journal/journal.ts'
import type { PreparedJob } from '../user-jobs/prepared-job.ts'
import type { Purge } from './purge.ts'
import { visibilityOf } from './visible.ts'

const READ_AT_ONCE = 500

/**
 * Removes for good what the viewer deleted until now, or with `all` everything that an administrator can see. Fails with `forbidden`.
 * @param options.address the client's, for the activity log, which tells how many were removed, also if the job was cancelled
 */
export function prepareEmpty(
  { journal, purge, bus }: { journal: Journal; purge: Pick<Purge, 'remove'>; bus: Pick<Bus, 'announce'> },
  { viewer, all, address }: { viewer: Viewer; all: boolean; address: string | null },
): PreparedJob {
  const needs = all ? (['delete', 'admin'] as const) : (['delete'] as const)
  if (all && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
  const filter = all ? {} : { userId: viewer.userId }
  // What is deleted while the job runs stays.
  const start = Bun.randomUUIDv7()
  function note(count: number): void {
    const details = detailsOf({}, { count, ...(all && { all }) })
    bus.announce('noted', { kind: 'trash-emptied', by: performerOf(viewer), address, details })
  }

  return {
    name: '',
    destination: ROOT,
    async run({ drive, progress, signal }) {
      const check = async (): Promise<void> => {
        signal.throwIfAborted()
        await drive.renew()
        for (const right of needs) if (!drive.mayAnywhere(right)) fail('forbidden', { right })
      }
      const visibility = await visibilityOf(drive, viewer.userId)
      // A total of what is hidden would tell of it.
      const shownSize = (entry: JournalEntry): number => (visibility.pathOf(entry) === null ? 0 : (visibility.sizeOf(entry) ?? 0))
      let total = 0
      for await (const entry of entries()) total += shownSize(entry)
      progress.total(total)
      let done = 0
      let count = 0
      let failure: { error: unknown } | null = null
      try {
        for await (const entry of entries()) {
          await check()
          const path = visibility.pathOf(entry)
          if (path === null) continue
          try {
            await drive.expectPurge(nodeOf(entry, path), { signal })
            if (await purge.remove(entry, { signal })) {
              progress.placed()
              count++
            }
          } catch (error) {
            signal.throwIfAborted()
            progress.failed(path, error)
            failure ??= { error }
          }
          progress.read((done += shownSize(entry)))
        }
      } finally {
        if (count > 0) note(count)
      }
      progress.read(total)
      if (failure !== null) throw failure.error

      async function* entries() {
        for (let after: string | null = start; after !== null;) {
          const page: Awaited<ReturnType<Journal['deletions']>> = await journal.deletions(filter, { after, limit: READ_AT_ONCE })
          yield* page.entries
          after = page.next
          await check()
        }
      }
    },
  }
}
