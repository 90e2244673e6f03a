import { fail } from '../../shared/errors.ts'
import { ROOT } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Journal } from '../journal/journal.ts'
import type { PreparedJob } from '../user-jobs/prepared-job.ts'
import type { Purge } from './purge.ts'
import { visibilityOf } from './visible.ts'

const READ_AT_ONCE = 500

/** Removes for good what the viewer deleted until now, or with `all` everything that an administrator can see. Fails with `forbidden`. */
export function prepareEmpty(
  { journal, purge }: { journal: Journal; purge: Pick<Purge, 'remove'> },
  { viewer, all }: { viewer: Viewer; all: boolean },
): PreparedJob {
  const needs = all ? (['delete', 'admin'] as const) : (['delete'] as const)
  if (all && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
  const filter = all ? {} : { userId: viewer.userId }
  // What is deleted while the job runs stays.
  const start = Bun.randomUUIDv7()
  return {
    name: '',
    destination: ROOT,
    async run({ drive, progress, signal }) {
      const check = async (): Promise<void> => {
        signal.throwIfAborted()
        await drive.renew()
        for (const right of needs) if (!drive.may(right)) fail('forbidden', { right })
      }
      const visibility = await visibilityOf(drive, viewer.userId)
      let total = 0
      for await (const { size } of entries()) total += size ?? 0
      progress.total(total)
      let done = 0
      let failure: { error: unknown } | null = null
      for await (const entry of entries()) {
        await check()
        const path = visibility.pathOf(entry)
        if (path === null) continue
        try {
          if (await purge.remove(entry, { signal })) progress.placed()
        } catch (error) {
          signal.throwIfAborted()
          progress.failed(path, error)
          failure ??= { error }
        }
        progress.read((done += entry.size ?? 0))
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
