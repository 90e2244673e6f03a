import { trustedTypesPolicy } from '../../../ui/trusted-types.ts'
// This import is resolved by the build.
// oxlint-disable-next-line import/default
import program from './name-order-worker.ts?worker&url'

/** Runs `orderOfNames` in a worker. Fails where workers are unavailable. */
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
