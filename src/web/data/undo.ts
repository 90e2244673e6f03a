import { useSession } from './session.ts'

/** Something that the user does or did in this page with one or more requests, which is taken back as a whole. */
export interface Gesture {
  /** A UUID, which its requests carry (`CallOptions.operation`). */
  readonly group: string
  /** When it started, compared with others: ascending. */
  readonly order: number
  readonly running: boolean
  /** Whether it may have changed something. Never fails. */
  readonly ended: Promise<boolean>
  /** It is going to be taken back. False if that was so already. */
  readonly take: () => boolean
}

/** What takes things back, and tells the user. */
export interface Undoer {
  /** Takes back a gesture of this page, once; waits for its end. */
  readonly gesture: (gesture: Gesture) => void
  /** Takes back what was done last. */
  readonly undo: () => void
  /** Does again what was taken back last. */
  readonly redo: () => void
  /** Something was done. */
  readonly onDone: () => void
}

interface Known extends Gesture {
  running: boolean
}

const NOBODY: Undoer = { gesture: () => undefined, undo: () => undefined, redo: () => undefined, onDone: () => undefined }
const MOST_ORDERS = 200

let undoer = NOBODY
let started = 0

/** What runs, and what started later and has ended: by start, the latest last. The server knows the others. */
let recent: readonly Known[] = []

/** When the gestures of this page started. */
const orders = new Map<string, number>()

/** What is being taken back or done again, with the order of the gesture; 0 if only the server knows which it is. */
const undoing = new Set<{ readonly order: number; readonly done: Promise<void> }>()

/** Registers what takes things back: the frame around the screens. @returns unregisters it; call it from an effect */
export function registerUndoer(one: Undoer): () => void {
  undoer = one
  return () => {
    if (undoer === one) undoer = NOBODY
  }
}

export const undoGesture: Undoer['gesture'] = (gesture) => undoer.gesture(gesture)
export const undoLatest: Undoer['undo'] = () => undoer.undo()
export const redoLatest: Undoer['redo'] = () => undoer.redo()

/**
 * Runs a gesture. Ctrl+Z means the one that started last, also while it runs.
 * @param didChange of the result; if `work` fails, nothing was changed
 */
export async function withGesture<Result>(
  work: (gesture: Gesture) => Promise<Result>,
  didChange: (result: Result) => boolean = () => true,
): Promise<Result> {
  const { promise: ended, resolve } = Promise.withResolvers<boolean>()
  let taken = false
  const take = () => !taken && (taken = true)
  const gesture: Known = { group: newGroup(), order: ++started, running: true, ended, take }
  recent = [...recent, gesture]
  rememberOrder(gesture)
  let changed = false
  try {
    const result = await work(gesture)
    changed = didChange(result)
    return result
  } finally {
    gesture.running = false
    recent = recent.some(({ running }) => running) ? recent.filter((one) => one !== gesture || changed) : []
    resolve(changed)
    if (changed) undoer.onDone()
  }
}

/** Takes the gesture that started last, if any is running; null if the server knows the latest. */
export function takeRecent(): Gesture | null {
  return recent.findLast((gesture) => gesture.take()) ?? null
}

export function isAnyRunning(): boolean {
  return recent.length > 0
}

/** Waits until what runs now has ended. */
export async function whenEnded(): Promise<void> {
  await Promise.all(recent.map(({ ended }) => ended))
}

/** A moment, for `isLater`. */
export function now(): number {
  return started
}

/** Whether a gesture of this page started after a moment. */
export function isLater(group: string, moment: number): boolean {
  return (orders.get(group) ?? 0) > moment
}

/**
 * Takes back or does again in order: the later gestures first.
 * @param order of the gesture; 0 for what only the server knows, which waits for everything that is being taken back
 * @param work must not fail
 */
export async function inOrder(order: number, work: () => Promise<void>): Promise<void> {
  const later = [...undoing].filter((one) => one.order >= order).map(({ done }) => done)
  const entry = { order, done: Promise.all(later).then(work) }
  undoing.add(entry)
  await entry.done.finally(() => undoing.delete(entry))
}

/** Works without `crypto.randomUUID`, which needs HTTPS. */
function newGroup(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}

function rememberOrder({ group, order }: Gesture): void {
  orders.set(group, order)
  const [oldest] = orders.keys()
  if (orders.size > MOST_ORDERS && oldest !== undefined) orders.delete(oldest)
}

// The next user of this tab has done none of it.
useSession.subscribe(({ ended }) => {
  if (ended === 'signed-out') recent = []
})
