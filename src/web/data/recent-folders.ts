import { type FilePath, parseFilePath, ROOT } from '../../shared/file-path.ts'
import { useSession } from './session.ts'
import { IS_ELSEWHERE } from './share-context.ts'

const STORAGE_KEY = 'satchel-recent-folders'
const MOST = 8

/** Stored per user; another user starts with an empty list. */
interface Stored {
  user: number
  folders: string[]
}

/** Records a visited folder. The root is not recorded: it is always reachable. */
export function recordFolder(path: FilePath): void {
  if (IS_ELSEWHERE) return
  const { user } = useSession.getState()
  if (user === null || path === ROOT) return
  const folders = [path, ...recentFolders().filter((one) => one !== path)].slice(0, MOST)
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ user: user.id, folders } satisfies Stored))
}

/** Recently visited folders of the user, newest first. */
export function recentFolders(): FilePath[] {
  const { user } = useSession.getState()
  try {
    // Local storage may contain anything.
    const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Stored | null
    return user !== null && kept?.user === user.id ? kept.folders.map(parseFilePath) : []
  } catch {
    return []
  }
}

/** Clears the list. */
export function clearRecentFolders(): void {
  localStorage.removeItem(STORAGE_KEY)
}

// Clear the list on sign-out.
useSession.subscribe(({ ended }) => ended === 'signed-out' && clearRecentFolders())
