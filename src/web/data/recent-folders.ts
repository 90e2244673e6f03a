import { type FilePath, parseFilePath, ROOT } from '../../shared/file-path.ts'
import { useSession } from './session.ts'

const STORAGE_KEY = 'satchel-recent-folders'
const MOST = 8

/** Somebody's own list; the next person at this browser begins anew. */
interface Stored {
  user: number
  folders: string[]
}

/** Notes that a folder was on show. The root is no news: the way there is always at hand. */
export function recordFolder(path: FilePath): void {
  const { user } = useSession.getState()
  if (user === null || path === ROOT) return
  const folders = [path, ...recentFolders().filter((one) => one !== path)].slice(0, MOST)
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ user: user.id, folders } satisfies Stored))
}

/** The folders that this person has seen last, the latest first. */
export function recentFolders(): FilePath[] {
  const { user } = useSession.getState()
  try {
    // What this file has written, or somebody else anything at all.
    const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Stored | null
    return user !== null && kept?.user === user.id ? kept.folders.map(parseFilePath) : []
  } catch {
    return []
  }
}

/** Somebody wants nothing of the kind to be kept. */
export function clearRecentFolders(): void {
  localStorage.removeItem(STORAGE_KEY)
}

// Whoever signs out leaves no trail of names behind.
useSession.subscribe(({ ended }) => ended === 'wished' && clearRecentFolders())
