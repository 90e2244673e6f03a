import { keysOfNames } from '../../shared/name-keys.ts'
import { firstOfKeys, type FirstWanted, orderOfKeys } from '../../shared/name-order.ts'
import { type NameBytes, unpackNames } from '../../shared/packed-names.ts'
import { type Answered, answerRequests } from '../threads/threads.ts'
import { pieceOf, rowsOf } from './folder-text.ts'
import type { FolderInOrder, FolderTask } from './folder-task.ts'

/** Answers with the sorted indices of names (the first rows before), the sorted rows of a folder, or one piece of its JSON. */
export type FolderWorkerRequest =
  | { readonly about: 'names'; readonly names: NameBytes; readonly first: FirstWanted | null }
  | { readonly about: 'rows'; readonly task: FolderTask }
  | { readonly about: 'piece'; readonly folder: FolderInOrder; readonly piece: number }

answerRequests(
  (ask: FolderWorkerRequest, tell): Answered => {
    const told = ({ buffer }: Uint32Array | Uint8Array): Answered => ({ answer: buffer, transfer: [buffer] })
    switch (ask.about) {
      case 'names': {
        const keys = keysOfNames(unpackNames(ask.names))
        if (ask.first !== null) tell(told(firstOfKeys(keys, ask.first)))
        return told(orderOfKeys(keys))
      }
      case 'rows':
        return told(rowsOf(ask.task))
      case 'piece':
        return told(pieceOf(ask.folder, ask.piece))
    }
  },
  { keeps: false },
)
