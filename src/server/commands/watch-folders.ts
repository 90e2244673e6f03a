import { watch } from 'node:fs'

/** Of each a descriptor's worth of the kernel; what is beyond is looked at now and then all the same. */
const MOST_FOLDERS = 256

/**
 * Tells as soon as something comes, goes or gets another name in one of these folders of this machine.
 * @returns ends it
 */
export function watchFolders(folders: readonly string[], onChange: () => void): () => void {
  const watchers = folders.slice(0, MOST_FOLDERS).flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, (event) => {
        if (event === 'rename') onChange()
      })
      // Anyone who opens the folder sees that it is gone.
      watcher.on('error', onChange)
      return [watcher]
    } catch {
      // Gone, or the system has no more watches to give.
      return []
    }
  })
  return () => watchers.forEach((watcher) => watcher.close())
}
