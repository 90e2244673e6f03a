import { useSession } from './session.ts'

/** Something that Ctrl+Z takes back: a gesture of deletions, which the server knows, or any other operation of this page. */
export type Undoable = { readonly group: string } | { readonly run: () => void }

const STORAGE_KEY = 'satchel-undo'
const MOST = 20

/** The latest last. Another user of this tab starts without any. */
let memory: { readonly user: number | undefined; readonly operations: readonly Undoable[] } | null = null

/** Remembers an operation. */
export function rememberUndo(operation: Undoable): void {
  keep([...all(), operation].slice(-MOST))
}

/** The operation was taken back, or cannot be any more. */
export function forgetUndo(operation: Undoable): void {
  keep(all().filter((one) => one !== operation))
}

/** Takes the latest operation out; null if there is none. */
export function takeUndo(): Undoable | null {
  const last = all().at(-1)
  if (last === undefined) return null
  forgetUndo(last)
  return last
}

export function canUndo(): boolean {
  return all().length > 0
}

function all(): readonly Undoable[] {
  const user = useSession.getState().user?.id
  if (memory?.user !== user) memory = null
  return (memory ??= { user, operations: stored(user) }).operations
}

/** After a reload only deletions are known, so only those that nothing else has followed are stored: the latest operation comes first. */
function keep(operations: readonly Undoable[]): void {
  const user = useSession.getState().user?.id
  memory = { user, operations }
  const from = operations.findLastIndex((one) => 'run' in one) + 1
  const groups = operations.slice(from).flatMap((one) => ('group' in one ? [one.group] : []))
  if (user !== undefined) sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ user, groups }))
}

function stored(user: number | undefined): Undoable[] {
  try {
    // Session storage may contain anything.
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as { user: number; groups: string[] } | null
    return user !== undefined && kept?.user === user ? kept.groups.map((group) => ({ group })) : []
  } catch {
    return []
  }
}

// The next user of this tab has done none of it.
useSession.subscribe(({ ended }) => {
  if (ended !== 'signed-out') return
  memory = null
  sessionStorage.removeItem(STORAGE_KEY)
})
