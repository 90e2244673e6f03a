import { orderOfNames } from '../../../../shared/name-order.ts'

/** Worker that sorts the names of one folder; its creator terminates it. */
addEventListener('message', ({ data: { names, folders } }: MessageEvent<{ names: readonly string[]; folders: Uint8Array }>) => {
  const order = orderOfNames(names, folders)
  postMessage(order, { transfer: [order.buffer] })
})
