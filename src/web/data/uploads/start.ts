import type { FilePath } from '../../../shared/file-path.ts'
import { inTime } from '../chunks.ts'
import type { DroppedHandle } from './handles.ts'

/** What a drop holds, taken out of its event, after which it is gone. */
export interface DropContents {
  readonly entries: readonly (FileSystemEntry | null)[]
  readonly files: readonly File[]
  /** For each entry the way to it beyond this page, where the browser knows one. */
  readonly handles: readonly Promise<DroppedHandle | null>[]
}

/** Uploads a drop of files and folders. Must be called in the drop event itself; everything else of uploads is fetched then. */
export async function uploadDropped(transfer: DataTransfer, target: FilePath): Promise<void> {
  const held = takeDrop(transfer)
  const { uploadDrop } = await inTime(import('./uploads.ts'))
  await uploadDrop(held, target)
}

/** Uploads what an `<input type=file>` holds. */
export async function uploadPicked(files: readonly File[], target: FilePath): Promise<void> {
  const { uploadFiles } = await inTime(import('./uploads.ts'))
  await uploadFiles(files, target)
}

/** Must be called in the drop event itself. */
export function takeDrop({ items, files }: DataTransfer): DropContents {
  return {
    entries: [...items].map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null)),
    files: [...files],
    handles: [...items].map(handleOf),
  }
}

/** Chromium alone has it. */
interface FileSystemItem extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<DroppedHandle | null>
}

function handleOf(item: FileSystemItem): Promise<DroppedHandle | null> {
  return item.getAsFileSystemHandle?.().catch(() => null) ?? Promise.resolve(null)
}
