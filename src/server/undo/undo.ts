import type { UndoOutcome, Undone } from '../../shared/contract/operations.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { Viewer } from '../access/viewer.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import { actorOf } from '../drive/operation.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { nodeOf } from '../trash/kept-of.ts'
import { visibilityOf } from '../trash/visible.ts'
import { follow, type Followed } from './followed.ts'
import type { Rows } from './rows.ts'

export interface UndoDeps {
  readonly rows: Rows
  readonly driveFor: DriveFor
  readonly log: (line: string) => void
}

export function createUndo({ rows, driveFor, log }: UndoDeps) {
  const oneByOne = createKeyedMutex()

  async function outcomeOf(entry: JournalEntry, run: () => Promise<void>): Promise<UndoOutcome> {
    try {
      await run()
      return 'done'
    } catch (error) {
      if (isAppError(error, 'access-changed') || isAppError(error, 'sign-in-needed')) throw error
      if (isAppError(error, 'already-exists')) return 'conflict'
      const now = await rows.find(entry.id)
      if (now?.state === 'undone') return 'done'
      if (now?.state === 'purged' || now?.state === 'purging') return 'gone'
      if (isAppError(error, 'not-found')) return 'changed'
      if (!isAppError(error)) log(`undo ${entry.id}: ${String(error)}`)
      return 'refused'
    }
  }

  async function takeBack(viewer: Viewer, found: readonly Followed[]): Promise<Undone> {
    const visibility = await visibilityOf(driveFor(viewer.access), viewer.userId)
    const group = Bun.randomUUIDv7()
    const items: Undone['items'] = []
    let isChanged = false
    for (const { entry } of found.toReversed()) {
      const path = visibility.pathOf(entry)
      const outcome = await one(entry, path)
      items.unshift({ kind: entry.kind, path, outcome })
    }
    return { items, group: isChanged ? group : null, job: null }

    async function one(entry: JournalEntry, path: FilePath | null): Promise<UndoOutcome> {
      if (entry.state === 'undone') return 'done'
      if (entry.state === 'purging' || entry.state === 'purged') return 'gone'
      if (path === null || entry.state !== 'done') return 'refused'
      const actor = actorOf(viewer)
      const drive = driveFor(viewer.access, actor && { ...actor, group, reverts: entry.id })
      return outcomeOf(entry, async () => {
        if (entry.kind === 'delete') await drive.restore(nodeOf(entry, path), path, { replace: false, rename: false })
        else if (entry.kind === 'restore') {
          if ((await drive.stat(path)).stat.identity !== entry.identity) fail('not-found', {})
          await drive.remove(path)
          await rows.markUndone([entry.id])
        } else fail('forbidden', { right: 'rename' })
        isChanged = true
      })
    }
  }

  const run = (viewer: Viewer, group: string, parity: 0 | 1): Promise<Undone> =>
    oneByOne(group, async () => {
      const found = await follow(rows, group, viewer.userId)
      return takeBack(
        viewer,
        found.filter(({ depth, isPast }) => depth % 2 === parity && !isPast),
      )
    })

  return {
    /** Takes a gesture of the viewer back; `not-found` if there is no such gesture. */
    undo: (viewer: Viewer, group: string): Promise<Undone> => run(viewer, group, 0),
    /** Does again what was taken back of it. */
    redo: (viewer: Viewer, group: string): Promise<Undone> => run(viewer, group, 1),
  }
}
