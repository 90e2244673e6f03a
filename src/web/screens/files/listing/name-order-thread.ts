import { trustedBy } from '../../../ui/trusted.ts'
import program from './name-order-worker.ts?worker&url'

/** `orderOfNames` in a thread of its own, so that the page goes on meanwhile. Fails where the browser lets no such thread begin. */
export async function orderInThread(names: readonly string[], folders: Uint8Array): Promise<Uint32Array> {
  const policy = trustedBy('satchel-order', { createScriptURL: () => program })
  // The rule's object stands for the address (W3C Trusted Types).
  const thread = new Worker((policy?.createScriptURL(program) ?? program) as string)
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
