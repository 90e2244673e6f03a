import { archiveBase, type LeftOut } from '../../shared/archive-format.ts'
import type { ConflictAction } from '../../shared/contract/jobs.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf } from '../../shared/file-path.ts'
import { numbered } from '../../shared/numbering.ts'
import type { Drive } from '../drive/drive.ts'
import { exists } from '../drive/exists.ts'
import { fillStaged } from './fill.ts'
import type { Unpacker } from './unpacker.ts'
import { createPlan } from './names.ts'

export interface Extraction {
  readonly path: FilePath
  readonly destination: FilePath
  /** Into a new folder of its own below the destination. */
  readonly own: boolean
  /** The folder of the archive to extract from; empty for its top. */
  readonly inside: string
  /** Selected names in that folder; null for all. */
  readonly names: ReadonlySet<string> | null
  readonly taken: ConflictAction
  readonly answers: Readonly<Record<string, ConflictAction>>
}

export interface ExtractProgress {
  read(bytes: number): void
  placed(): void
  leftOut(name: string, reason: LeftOut): void
}

export interface ExtractDeps {
  readonly unpacker: Unpacker
  /** The acting user's Drive, with the current access at every step. */
  readonly drive: Drive
  readonly progress: ExtractProgress
  /** Identifies the user to the queue of archives. */
  readonly clientKey: string
  readonly signal: AbortSignal
  /** Called before anything is published. */
  changing(): Promise<void>
}

type StagedFile = Awaited<ReturnType<Drive['stage']>>

interface Ready {
  /** Relative to the place of extraction. */
  readonly path: string
  readonly modified: number | undefined
  /** Null for a folder. */
  readonly staged: StagedFile | null
}

/**
 * Extracts an archive. Everything is read to the end and staged, invisibly, before anything is published: an archive that cannot be read completely
 * changes nothing. Then the files are published one after the other, as uploads are, with the current rights and rules; each exists completely or not
 * at all. Entries that have no place here are left out and reported. Fails with `archive-refused`, `already-exists`, `storage-full` and as `put`
 * does.
 */
export async function extract(deps: ExtractDeps, extraction: Extraction): Promise<void> {
  const ready = new Set<Ready>()
  try {
    for await (const one of stageAll(deps, extraction)) ready.add(one)
    deps.signal.throwIfAborted()
    await deps.changing()
    await publish(deps, ready, extraction)
  } finally {
    // Published files are no longer in the list.
    for (const { staged } of ready) await staged?.discard().catch(() => undefined)
  }
}

/** Entries that are not selected, or whose name is taken, are skipped before their bytes are stored. */
async function* stageAll(
  { unpacker, drive, progress, clientKey, signal }: ExtractDeps,
  extraction: Extraction,
): AsyncGenerator<Ready, void> {
  const { path, destination, own } = extraction
  await using file = await drive.open(path)
  const plan = createPlan({ base: archiveBase(nameOf(path)) })
  const tops = createTops(drive, extraction)
  const { total, used } = await drive.space(destination)
  let space = total - used
  for await (const { head, bytes } of unpacker.entries(
    file,
    { what: 'read', only: null },
    { clientKey, signal, onProgress: (read) => progress.read(read) },
  )) {
    const placed = plan(head)
    if (placed === null) continue
    if ('left' in placed) {
      if (isWanted(head.name, extraction)) progress.leftOut(head.name, placed.left)
      continue
    }
    const below = pathInside(placed.path, extraction)
    if (below === null) continue
    const modified = timeOf(head.modified)
    if (placed.kind === 'folder') {
      yield { path: below, modified, staged: null }
      continue
    }
    if (!own && (await tops.fate(topOf(below))) === 'skip') continue
    const staged = await orNoPlace(drive.stage(joinAll(destination, below), { id: Bun.randomUUIDv7(), isNew: true }))
    if (staged === null) {
      progress.leftOut(below, 'not-allowed')
      continue
    }
    try {
      space -= await fillStaged(staged, bytes, { space, signal })
    } catch (error) {
      await staged.discard().catch(() => undefined)
      throw error
    }
    yield { path: below, modified, staged }
  }
}

async function publish({ drive: plain, progress, signal }: ExtractDeps, ready: Set<Ready>, extraction: Extraction): Promise<void> {
  // Entries that were denied from the start are left out and reported; a denial from here on stops the extraction.
  const drive = plain.strict()
  const place = extraction.own ? await ownPlace(drive, ready, extraction) : (path: string) => joinAll(extraction.destination, path)
  const tops = createTops(drive, extraction)
  for (const one of ready) {
    const { path, modified, staged } = one
    signal.throwIfAborted()
    const top = topOf(path)
    const fate = extraction.own ? 'new' : await tops.fate(top)
    if (fate === 'skip') continue
    const target = place(typeof fate === 'object' ? fate.name + path.slice(top.length) : path)
    const done = staged === null ? drive.makeFolder(target) : drive.put(target, staged, { replace: fate === 'replace', modified })
    if ((await orNoPlace(done.then(() => true))) === null) progress.leftOut(path, 'not-allowed')
    else {
      ready.delete(one)
      progress.placed()
    }
  }
}

/** A single folder at the top needs no other around it. */
async function ownPlace(drive: Drive, ready: ReadonlySet<Ready>, { path, destination }: Extraction): Promise<(path: string) => FilePath> {
  const [only = '', ...others] = new Set([...ready].map((one) => topOf(one.path)))
  const isOne = others.length === 0 && only !== ''
  const name = await freeName(drive, destination, isOne ? only : archiveBase(nameOf(path)))
  return (inner) => joinAll(destination, isOne ? name + inner.slice(only.length) : `${name}/${inner}`)
}

async function freeName(drive: Drive, folder: FilePath, own: string): Promise<string> {
  for (let name = own, n = 1; ; name = numbered(own, n++)) if (!(await exists(drive, joinPath(folder, name)))) return name
}

type Fate = 'new' | 'replace' | 'skip' | { readonly name: string }

/** Decides once for each name at the top how a conflict is resolved. Fails with `already-exists` without a decision. */
function createTops(drive: Drive, { destination, taken, answers }: Extraction): { fate(top: string): Promise<Fate> } {
  const known = new Map<string, Fate>()

  async function decide(top: string): Promise<Fate> {
    const path = joinPath(destination, top)
    if (!(await exists(drive, path))) return 'new'
    const answer = Object.hasOwn(answers, top) ? (answers[top] ?? taken) : taken
    if (answer === 'refuse') fail('already-exists', { path })
    if (answer === 'replace' && !drive.may('modify', path)) fail('forbidden', { right: 'modify' })
    return answer === 'rename' ? { name: await freeName(drive, destination, top) } : answer
  }

  return {
    async fate(top) {
      const fate = known.get(top) ?? (await decide(top))
      known.set(top, fate)
      return fate
    },
  }
}

/** Null for a name that this user cannot see, or that no file can have here; other entries continue. */
async function orNoPlace<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (isAppError(error, 'not-found') || isAppError(error, 'invalid-input')) return null
    throw error
  }
}

/** The path relative to the folder that is extracted; null if not selected. */
function pathInside(path: string, { inside, names }: Extraction): string | null {
  const below = inside === '' ? path : path.startsWith(`${inside}/`) ? path.slice(inside.length + 1) : ''
  return below !== '' && (names === null || names.has(topOf(below))) ? below : null
}

/** Entries with unsafe names are reported only if the whole archive is extracted. */
function isWanted(name: string, extraction: Extraction): boolean {
  return (extraction.inside === '' && extraction.names === null) || pathInside(name, extraction) !== null
}

function topOf(path: string): string {
  return path.split('/', 1)[0] ?? path
}

function joinAll(folder: FilePath, path: string): FilePath {
  return path.split('/').reduce(joinPath, folder)
}

const LATEST_MS = Date.UTC(2200)

/** An mtime that file systems can store; otherwise the current time is used. */
function timeOf(modified: number | null): number | undefined {
  return modified !== null && modified > 0 && modified < LATEST_MS ? modified : undefined
}

/** Checks before the extraction: the archive is readable, and the destination is a folder or can become one. */
export async function expectExtraction(drive: Drive, { path, destination, taken, answers }: Extraction): Promise<void> {
  if (!drive.may('create', destination)) fail('forbidden', { right: 'create' })
  if (!drive.may('download', path)) fail('forbidden', { right: 'download' })
  const replaces = taken === 'replace' || Object.values(answers).includes('replace')
  if (replaces && !drive.may('modify', destination)) fail('forbidden', { right: 'modify' })
  await (await drive.open(path)).close()
  if (!drive.canSee(destination)) fail('not-found', { path: destination })
  if (!(await exists(drive, destination))) await drive.expect(destination, { replace: false })
  else if ((await drive.stat(destination)).stat.kind !== 'folder') fail('already-exists', { path: destination })
}
