import { useSession } from './session.ts'

/** Something that Ctrl+Z takes back: a gesture of deletions, which the server knows, or any other operation of this page. */
export type Undoable = { readonly group: string } | { readonly run: () => void }

const STORAGE_KEY = 'satchel-undo'
const MOST = 20

/** The latest last. */
let stack: readonly Undoable[] | null = null

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
  return (stack ??= stored())
}

/** After a reload only deletions are known, so only those that nothing else has followed are stored: the latest operation comes first. */
function keep(operations: readonly Undoable[]): void {
  stack = operations
  const from = operations.findLastIndex((one) => 'run' in one) + 1
  const groups = operations.slice(from).flatMap((one) => ('group' in one ? [one.group] : []))
  const user = useSession.getState().user?.id
  if (user !== undefined) sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ user, groups }))
}

function stored(): Undoable[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('user' in kept) || !('groups' in kept)) return []
    if (kept.user !== useSession.getState().user?.id || !Array.isArray(kept.groups)) return []
    return kept.groups.filter((group) => typeof group === 'string').map((group) => ({ group }))
  } catch {
    return []
  }
}

// The next user of this tab has done none of it.
useSession.subscribe((now, before) => {
  if (now.user?.id !== before.user?.id) stack = null
  if (now.user === null && before.user !== null) sessionStorage.removeItem(STORAGE_KEY)
})
