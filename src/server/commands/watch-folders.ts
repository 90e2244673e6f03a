import { watch } from 'node:fs'

/** Each needs a kernel watch; other folders are polled anyway. */
const MOST_FOLDERS = 256

/** Calls back as soon as an entry is created, removed or renamed in one of these local folders. @returns a function that stops watching */
export function watchFolders(folders: readonly string[], onChange: () => void): () => void {
  const watchers = folders.slice(0, MOST_FOLDERS).flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, (event) => {
        if (event === 'rename') onChange()
      })
      // The next open of the folder will show that it has gone.
      watcher.on('error', onChange)
      return [watcher]
    } catch {
      // The folder has gone, or the system has no watches left.
      return []
    }
  })
  return () => watchers.forEach((watcher) => watcher.close())
}
