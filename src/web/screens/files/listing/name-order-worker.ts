import { orderOfNames } from '../../../../shared/name-order.ts'

/** A thread of its own that orders the names of one folder and is then ended by whoever asked. */
addEventListener('message', ({ data: { names, folders } }: MessageEvent<{ names: readonly string[]; folders: Uint8Array }>) => {
  const order = orderOfNames(names, folders)
  postMessage(order, { transfer: [order.buffer] })
})
