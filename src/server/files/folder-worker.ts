import { answerAsks } from '../threads/threads.ts'
import { type FolderTask, folderText } from './folder-text.ts'

/** The names travel as one text: a hundred thousand strings take longer to pass than to split. */
export type FolderOrder = Omit<FolderTask, 'sheet'> & { sheet: Omit<FolderTask['sheet'], 'names'> & { names: string } }

answerAsks((order: FolderOrder) => {
  const names = order.sheet.names === '' ? [] : order.sheet.names.split('\0')
  const answer = new TextEncoder().encode(folderText({ ...order, sheet: { ...order.sheet, names } }))
  return { answer, transfer: [answer.buffer] }
})
