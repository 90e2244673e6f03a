import { readMany } from './read-many.ts'
import type { SmallFiles } from './storage.ts'
import { answerRequests } from '../threads/threads.ts'

export interface ReadAsk {
  /** The descriptor of the folder; the caller keeps it open. */
  readonly fd: number
  /** Joined by NUL. */
  readonly names: string
  readonly mostBytes: number
}

export type ReadAnswer = SmallFiles

answerRequests(({ fd, names, mostBytes }: ReadAsk) => {
  const answer: ReadAnswer = readMany(fd, names.split('\0'), mostBytes)
  return { answer, transfer: [answer.bytes.buffer, answer.sizes.buffer, answer.modified.buffer, answer.crcs.buffer] }
})
