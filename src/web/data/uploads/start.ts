import type { FilePath } from '../../../shared/file-path.ts'
import { inTime } from '../chunks.ts'
import type { DropContents } from './dropped.ts'
import type { DroppedHandle } from './handles.ts'

/** Uploads dropped files and folders. Must be called during the drop event; the upload code is loaded afterwards. */
export async function uploadDropped(transfer: DataTransfer, target: FilePath): Promise<void> {
  const held = takeDrop(transfer)
  const { uploadDrop } = await inTime(import('./uploads.ts'))
  await uploadDrop(held, target)
}

/** Uploads the files of an `<input type=file>`. */
export async function uploadPicked(files: readonly File[], target: FilePath): Promise<void> {
  const { uploadFiles } = await inTime(import('./uploads.ts'))
  await uploadFiles(files, target)
}

/** Must be called during the drop event. */
export function takeDrop({ items, files }: DataTransfer): DropContents {
  return {
    entries: [...items].map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null)),
    files: [...files],
    handles: [...items].map(handleOf),
  }
}

/** Chromium only. */
interface FileSystemItem extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<DroppedHandle | null>
}

function handleOf(item: FileSystemItem): Promise<DroppedHandle | null> {
  return item.getAsFileSystemHandle?.().catch(() => null) ?? Promise.resolve(null)
}
