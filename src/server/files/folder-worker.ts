import { orderOfNames } from '../../shared/natural-order.ts'
import { answerAsks } from '../threads/threads.ts'
import { type FolderTask, folderText } from './folder-text.ts'

/** The names travel as one text: a hundred thousand strings take longer to pass than to split. */
export type FolderOrder = Omit<FolderTask, 'sheet'> & { sheet: Omit<FolderTask['sheet'], 'names'> & { names: string } }

/** Either names alone, whose order is wanted as indices, or a folder, whose text is. */
export type FolderAsk = { readonly names: string } | FolderOrder

answerAsks((ask: FolderAsk) => {
  const { buffer } = 'names' in ask ? orderOfNames(split(ask.names)) : new TextEncoder().encode(textOf(ask))
  return { answer: buffer, transfer: [buffer] }
})

function textOf(order: FolderOrder): string {
  return folderText({ ...order, sheet: { ...order.sheet, names: split(order.sheet.names) } })
}

function split(names: string): string[] {
  return names === '' ? [] : names.split('\0')
}
