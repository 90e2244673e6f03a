import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Actor } from '../drive/operation.ts'
import type { Change, RecordedChange, Recorder } from '../drive/recorder.ts'
import type { Stat } from '../storage/storage.ts'
import type { Journal } from './journal.ts'
import { isRelaxedKind } from './open-entries.ts'
import type { JournalEntry } from './operation-row.ts'
import type { JournalWriter } from './writer.ts'

export interface RecorderDeps {
  readonly journal: Journal
  readonly writer: JournalWriter
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** The journal as one person's Drive uses it. All changes are one gesture. */
export function createRecorder({ journal, writer, clock, log }: RecorderDeps, actor: NonNullable<Actor>): Recorder {
  const { id: userId, name, via = 'api', joins = false, reverts = null, onChanged } = actor
  const group = actor.group ?? Bun.randomUUIDv7()
  let isOwn = !joins

  const entryOf = ({ kind, path, origin, node, folder, version, restored }: Change): JournalEntry => ({
    id: Bun.randomUUIDv7(),
    group,
    at: clock().getTime(),
    by: { id: userId, name, via },
    kind,
    path,
    origin: origin ?? null,
    identity: node?.identity ?? '',
    folder,
    size: folder ? null : (node?.size ?? null),
    modified: folder || kind === 'delete' ? null : (node?.modified ?? null),
    version: version ?? null,
    restored: restored ?? null,
    reverts,
    state: 'intended',
    kept: null,
  })

  function settled(entry: JournalEntry, stat: Stat | undefined): JournalEntry {
    const state = entry.kind === 'delete' ? 'purged' : 'done'
    if (stat === undefined) return { ...entry, state }
    const { identity, size, modified } = stat
    return { ...entry, state, identity, ...(!entry.folder && { size, modified }) }
  }

  const changing = (entry: JournalEntry): RecordedChange => ({
    done(stat) {
      writer.settle(settled(entry, stat))
      // What is gone for good cannot be undone.
      if (entry.kind !== 'delete') onChanged?.()
    },
    failed: () => writer.settle({ ...entry, state: 'failed' }),
  })

  return {
    async check() {
      if (isOwn) return
      if (await journal.isForeign(group, userId)) fail('invalid-input', { issues: ['x-satchel-operation: not yours'] })
      isOwn = true
    },

    async begin(change) {
      const entry = entryOf(change)
      try {
        await (isRelaxedKind(change.kind) ? writer.begin(entry) : journal.begin(entry))
      } catch (error) {
        log(`journal: a change of ${entry.path} is not recorded: ${String(error)}`)
        return UNKNOWN
      }
      return changing(entry)
    },

    async resume(path: FilePath) {
      try {
        await writer.flush()
        const last = await journal.lastAt(path)
        const isMine = last?.by.id === userId && (last.kind === 'create' || last.kind === 'replace') && last.state === 'done'
        if (!isMine) return null
        await writer.reopen(last)
        // A save that fails leaves what was there before.
        return { done: (stat) => writer.settle(settled(last, stat)), failed: () => writer.settle(last) }
      } catch (error) {
        log(`journal: a change of ${path} is not recorded: ${String(error)}`)
        return UNKNOWN
      }
    },
  }
}

const UNKNOWN: RecordedChange = { done: () => undefined, failed: () => undefined }
