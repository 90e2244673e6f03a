import { trustedTypesPolicy } from '../../../ui/trusted-types.ts'
// The build answers to this address, not the file itself.
// oxlint-disable-next-line import/default
import program from './name-order-worker.ts?worker&url'

/** `orderOfNames` in a thread of its own, so that the page goes on meanwhile. Fails where the browser lets no such thread begin. */
export async function orderInThread(names: readonly string[], folders: Uint8Array): Promise<Uint32Array> {
  const policy = trustedTypesPolicy('satchel-order', { createScriptURL: () => program })
  const thread = new Worker(policy?.createScriptURL(program) ?? program)
  try {
    return await new Promise((resolve, reject) => {
      thread.addEventListener('message', ({ data }: MessageEvent<Uint32Array>) => resolve(data))
      thread.addEventListener('error', reject)
      thread.postMessage({ names, folders })
    })
  } finally {
    thread.terminate()
  }
}
