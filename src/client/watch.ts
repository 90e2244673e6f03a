import { AppError } from '../shared/errors.ts'
import { parseFilePath } from '../shared/file-path.ts'
import { asLost, createRetry, type Patience } from './retry.ts'
import type { Satchel } from './satchel.ts'

/** The server says something every 20 seconds. */
const SILENT_MS = 60_000

/**
 * `ready`: from now on changes are reported. `changed`: the listing of the folder may have changed. `shared`: what others share with this account may
 * have changed.
 */
export type FolderEvent = 'ready' | 'changed' | 'shared'

/**
 * What happens in a folder, until the loop is left, without an end to its patience by default. After a lost connection there is another `ready`: what
 * changed in between is not reported, so list the folder then.
 */
export async function* watch(satchel: Satchel, folder: string, options: Patience = {}): AsyncGenerator<FolderEvent, void> {
  const retry = createRetry({ patienceMs: Infinity, ...options })
  const params = { path: parseFilePath(folder), slash: true }
  for (;;) {
    let lost: unknown = new AppError('offline', {})
    try {
      for await (const event of eventsIn(await satchel.live.folder({ params }, { signal: options.signal }))) {
        retry.progressed()
        yield event
      }
    } catch (error) {
      lost = asLost(error)
    }
    if (options.signal?.aborted) return
    await retry.failed(lost)
  }
}

async function* eventsIn(response: Response): AsyncGenerator<FolderEvent, void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = (await (reader && withinSilence(reader.read()))) ?? { done: true, value: undefined }
      if (done) return
      const blocks = (text + value).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const kind = /^event: (ready|changed|shared)$/m.exec(block)?.[1]
        // One of the three, as the pattern says.
        if (kind !== undefined) yield kind as FolderEvent
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
}

function withinSilence<T>(next: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('offline', {})), SILENT_MS)
    next.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
