import type { RewindChange, UndoOutcome } from '../../shared/contract/operations.ts'
import type { Job } from '../../shared/contract/jobs.ts'
import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { Drive } from '../drive/drive.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { placesOf } from './places.ts'
import { planOf } from './plan.ts'
import type { Step } from './step.ts'
import { seenBy } from './seen.ts'
import { prepareSteps, type UndoDeps } from './undo.ts'

export interface RewindDeps extends UndoDeps {
  readonly settings: SettingsReader
  readonly clock: () => Date
}

export interface RewindQuery {
  readonly path: string
  /** ISO 8601. */
  readonly to: string
  /** Name of a user. */
  readonly by?: string | undefined
}

const SHOWN = 100
const DAY_MS = 24 * 3600_000
/** So many steps of a preview are compared with the disk. */
const LOOKED_AT = 2000

export interface Preview {
  readonly changes: RewindChange[]
  readonly counts: { remove: number; restore: number; move: number; content: number; problems: number }
  readonly knownSince: string
}

export function createRewind(deps: RewindDeps) {
  const { rows, driveFor, settings, clock, systemDrive, userJobs } = deps

  /** Fails with `not-found` for what is no folder that the viewer can see. */
  async function planFor(drive: Drive, viewer: Viewer, query: RewindQuery, signal: AbortSignal): Promise<Step[]> {
    await deps.recovered()
    await rows.settled()
    const folder = parseFilePath(query.path)
    if ((await drive.stat(folder)).stat.kind !== 'folder') fail('not-found', { path: folder })
    const place = await drive.place(folder, 'follow')
    const entries = await since(place, Date.parse(query.to), signal)
    const seen = await seenBy(drive, viewer.userId)
    const wants = query.by === undefined ? {} : { wants: ({ by }: JournalEntry) => by.name === query.by }
    const steps = planOf(entries, { folder: place, ...wants })
    // What the viewer does not see stays as it is, and is not told of.
    const shown = await Promise.all(steps.map(async (step) => (await isShown(step)) && step))
    return shown.filter((step) => step !== false)

    async function isShown({ entry, path }: Step): Promise<boolean> {
      return seen.at(entry, path) !== null && (entry.kind !== 'delete' || (await seen.pathOf(entry)) !== null)
    }
  }

  /** The oldest first: everything below the folder since a moment, and what moved it. */
  async function since(folder: FilePath, moment: number, signal: AbortSignal): Promise<JournalEntry[]> {
    const found = new Map<string, JournalEntry>()
    const pause = periodicYield(signal)
    for (const place of await placesOf(rows, folder)) {
      const arrival = place.from === null ? null : await rows.find(place.from)
      const deletion = arrival?.kind === 'restore' && arrival.kept !== null ? await rows.find(arrival.kept.id) : null
      for (const entry of [arrival, deletion]) if (entry !== null && entry.at > moment) found.set(entry.id, entry)
      for await (const entry of rows.atOrBelow(place.path, { ...place, after: moment })) {
        found.set(entry.id, entry)
        await pause()
      }
      if (arrival !== null && arrival.at <= moment) break
    }
    return [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** As far as the disk tells without trying. */
  async function problemOf({ problem, change, left, path, now: place, deletion }: Step, isLookedAt: boolean): Promise<UndoOutcome | null> {
    if (problem !== null) return problem
    if (change === 'restore' && deletion !== null && deletion.state !== 'done') return 'gone'
    if (!isLookedAt || left === null) return null
    const now = await nullOn('not-found', systemDrive.stat(place ?? path))
    if (now === null) return 'changed'
    if (now.target === null && left.identity !== '' && now.stat.identity !== left.identity) return 'changed'
    return null
  }

  return {
    async preview(viewer: Viewer, query: RewindQuery, { signal }: { signal: AbortSignal }): Promise<Preview> {
      const drive = driveFor(viewer.access)
      const steps = await planFor(drive, viewer, query, signal)
      const seen = await seenBy(drive, viewer.userId)
      const changes: RewindChange[] = []
      const counts = { remove: 0, restore: 0, move: 0, content: 0, problems: 0 }
      for (const [index, step] of steps.entries()) {
        const { change, entry, path, now, to, folder } = step
        const isRefused = to !== null && seen.at(entry, to) === null
        const problem = isRefused ? 'refused' : await problemOf(step, index < LOOKED_AT)
        counts[change]++
        if (problem !== null) counts.problems++
        if (changes.length === SHOWN) continue
        changes.push({
          change,
          path: seen.at(entry, change === 'restore' ? path : (now ?? path)) ?? '',
          to: to === null ? null : seen.at(entry, to),
          isDir: folder,
          problem,
        })
      }
      const { activityDays } = await settings.read()
      const kept = clock().getTime() - Math.max(1, activityDays) * DAY_MS
      const knownSince = new Date(Math.max(kept, (await rows.firstAt()) ?? clock().getTime())).toISOString()
      return { changes, counts, knownSince }
    },

    async apply(viewer: Viewer, query: RewindQuery): Promise<{ job: Job; group: string }> {
      const { userId, username } = viewer
      const group = viewer.gesture?.group ?? Bun.randomUUIDv7()
      const destination = parseFilePath(query.path)
      const job = await userJobs.launch(viewer, {
        kind: 'rewind',
        async prepare() {
          if ((await driveFor(viewer.access).stat(destination)).stat.kind !== 'folder') fail('not-found', { path: destination })
          const plan = ({ drive, signal }: { drive: Drive; signal: AbortSignal }) => planFor(drive, viewer, query, signal)
          return prepareSteps(deps, { userId, username, group }, { destination, plan, wholeFolders: query.by === undefined })
        },
      })
      return { job, group }
    },
  }
}
