import { type FolderTask, folderText } from './folder-text.ts'

/** The names travel as one text: a hundred thousand strings take longer to pass than to split. */
export interface FolderOrder {
  id: number
  task: Omit<FolderTask, 'sheet'> & { sheet: Omit<FolderTask['sheet'], 'names'> & { names: string } }
}

export type FolderReply = { id: number; bytes: Uint8Array<ArrayBuffer> } | { id: number; failure: string }

declare const self: Worker

self.onmessage = ({ data: { id, task } }: MessageEvent<FolderOrder>): void => {
  try {
    const names = task.sheet.names === '' ? [] : task.sheet.names.split('\0')
    const bytes = new TextEncoder().encode(folderText({ ...task, sheet: { ...task.sheet, names } }))
    self.postMessage({ id, bytes } satisfies FolderReply, [bytes.buffer])
  } catch (error) {
    self.postMessage({ id, failure: String(error) } satisfies FolderReply)
  }
}
