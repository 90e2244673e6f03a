import { readNames, statNames } from './listing.ts'

export interface ListAsk {
  readonly ticket: number
  /** Descriptors are shared by all threads of a process; the asker keeps it open. */
  readonly fd: number
}

/** Names are joined by NUL, which no name has: one text crosses threads faster than 100,000. */
export type ListAnswer =
  | {
      readonly ticket: number
      readonly names: string
      readonly sizes: Float64Array
      readonly modified: Float64Array
      readonly modes: Uint32Array
    }
  | { readonly ticket: number; readonly code: string; readonly message: string }

declare const self: Worker

self.onmessage = ({ data: { ticket, fd } }: MessageEvent<ListAsk>): void => {
  try {
    const { names, sizes, modified, modes } = statNames(fd, readNames(fd))
    const answer: ListAnswer = { ticket, names: names.join('\0'), sizes, modified, modes }
    self.postMessage(answer, { transfer: [sizes.buffer, modified.buffer, modes.buffer] })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const answer: ListAnswer = { ticket, code, message: String(error) }
    self.postMessage(answer)
  }
}
