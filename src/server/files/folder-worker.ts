import { firstOfNames, type FirstWanted, orderOfNames } from '../../shared/natural-order.ts'
import { answerAsks } from '../threads/threads.ts'
import { folderBytes, type FolderTask } from './folder-text.ts'

/** The names travel as one text: a hundred thousand strings take longer to pass than to split. */
export type FolderOrder = Omit<FolderTask, 'columns'> & { columns: Omit<FolderTask['columns'], 'names'> & { names: string } }

/** Either names alone, whose order is wanted as indices, those of the first rows before the others, or a folder, whose text is. */
export type FolderWorkerRequest = { readonly names: string; readonly first: FirstWanted | null } | FolderOrder

answerAsks(
  (ask: FolderWorkerRequest, tell) => {
    const told = ({ buffer }: Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) => ({ answer: buffer, transfer: [buffer] })
    if (!('names' in ask)) return told(bytesOf(ask))
    const names = split(ask.names)
    if (ask.first !== null) tell(told(firstOfNames(names, ask.first)))
    return told(orderOfNames(names))
  },
  { keeps: false },
)

function bytesOf(order: FolderOrder): Uint8Array<ArrayBuffer> {
  return folderBytes({ ...order, columns: { ...order.columns, names: split(order.columns.names) } })
}

function split(names: string): string[] {
  return names === '' ? [] : names.split('\0')
}
