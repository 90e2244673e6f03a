import { useSession } from './session.ts'

/** How something is taken back: a gesture of deletions, which the server knows, or any other operation of this page. */
export type Undoable = { readonly group: string } | { readonly run: () => Promise<void> }

/** Something that the user did: it runs, or has ended. */
export interface Gesture {
  /** When it started, compared with others: ascending. */
  readonly order: number
  /** How to take it back; null if it cannot be taken back, or did nothing. Never fails. */
  readonly ended: Promise<Undoable | null>
  readonly running: boolean
  /** Says how to take it back when it has ended. */
  readonly offer: (undoable: Undoable) => void
  /** It is going to be taken back, so it is no longer the latest. False if that was so already. */
  readonly take: () => boolean
}

interface Kept extends Gesture {
  running: boolean
  taken: boolean
  undoable: Undoable | null
}

const STORAGE_KEY = 'satchel-undo'
const MOST = 20

let started = 0

/** By start, the latest last. Another user of this tab starts without any. */
let memory: { readonly user: number | undefined; readonly gestures: readonly Kept[] } | null = null

/** What is being taken back. */
const undoing = new Set<{ readonly order: number; readonly done: Promise<void> }>()

/**
 * Runs a gesture. Ctrl+Z means the one that started last, also while it runs.
 * @param work fails or ends without an offer if nothing is to be taken back
 */
export async function withGesture<Result>(work: (gesture: Gesture) => Promise<Result>): Promise<Result> {
  const before = all()
  const { promise: ended, resolve } = Promise.withResolvers<Undoable | null>()
  const offer = (undoable: Undoable) => void (gesture.undoable = undoable)
  const gesture: Kept = { order: ++started, ended, running: true, taken: false, undoable: null, offer, take: () => take(gesture) }
  keep([...before, gesture].slice(-MOST))
  try {
    return await work(gesture)
  } finally {
    gesture.running = false
    resolve(gesture.undoable)
    if (all().includes(gesture)) keep(gesture.undoable === null ? all().filter((one) => one !== gesture) : all())
  }
}

/** Takes the gesture that started last; null if there is none. */
export function takeLatest(): Gesture | null {
  const last = all().at(-1)
  return last?.take() === true ? last : null
}

export function canUndo(): boolean {
  return all().length > 0
}

/**
 * Waits until a gesture has ended and those after it are taken back, as far as that was asked for; then takes it back.
 * @param takeBack must not fail
 */
export async function undoInOrder(gesture: Gesture, takeBack: (undoable: Undoable | null) => Promise<void>): Promise<void> {
  const later = [...undoing].filter(({ order }) => order > gesture.order).map(({ done }) => done)
  const undo = async () => {
    const undoable = await gesture.ended
    await Promise.all(later)
    await takeBack(undoable)
  }
  const entry = { order: gesture.order, done: undo() }
  undoing.add(entry)
  await entry.done.finally(() => undoing.delete(entry))
}

function take(gesture: Kept): boolean {
  if (gesture.taken) return false
  gesture.taken = true
  keep(all().filter((one) => one !== gesture))
  return true
}

function all(): readonly Kept[] {
  const user = useSession.getState().user?.id
  if (memory?.user !== user) memory = null
  return (memory ??= { user, gestures: stored(user) }).gestures
}

/** After a reload only deletions are known, so only those that nothing else has followed are stored: the latest gesture comes first. */
function keep(gestures: readonly Kept[]): void {
  const user = useSession.getState().user?.id
  memory = { user, gestures }
  const groups = gestures.map(({ running, undoable }) => (!running && undoable !== null && 'group' in undoable ? undoable.group : null))
  if (user !== undefined) sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ user, groups: groups.slice(groups.lastIndexOf(null) + 1) }))
}

function stored(user: number | undefined): Kept[] {
  try {
    // Session storage may contain anything.
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as { user: number; groups: string[] } | null
    return user !== undefined && kept?.user === user ? kept.groups.map((group) => deletionBefore(group)) : []
  } catch {
    return []
  }
}

/** A deletion before the page was loaded. */
function deletionBefore(group: string): Kept {
  const undoable = { group }
  const ended = Promise.resolve(undoable)
  const gesture: Kept = {
    order: ++started,
    ended,
    running: false,
    taken: false,
    undoable,
    offer: () => undefined,
    take: () => take(gesture),
  }
  return gesture
}

// The next user of this tab has done none of it.
useSession.subscribe(({ ended }) => {
  if (ended !== 'signed-out') return
  memory = null
  sessionStorage.removeItem(STORAGE_KEY)
})
