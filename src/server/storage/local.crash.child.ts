import { type FilePath, joinPath, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { createLocalStorage } from './local.ts'
import { sealed } from './test-sealed.ts'
import type { Storage } from './storage.ts'

/** Uploads, saves, copies and moves until it is killed. Started by local.crash.test.ts with the folder as its argument. */
async function work(storage: Storage): Promise<void> {
  for (let round = 0; ; round++) {
    await publish(storage, 'save', joinPath(ROOT, `saved-${round % 3}`), { replace: true })
    await publish(storage, 'upload', joinPath(ROOT, `new-${Date.now()}-${round}`), { replace: false })
    const copy = storage.stage('copy', { near: ROOT })
    await copy.copyFrom(at('/saved-0'))
    await copy.commit(at('/copied'), { replace: true })
    await storage.move(at('/copied'), at('/moved'), { replace: true })
    if ((await storage.stat(at('/ping'))) === null) await storage.move(at('/pong'), at('/ping'), { replace: false })
    else await storage.move(at('/ping'), at('/pong'), { replace: false })
    if (round === 0) console.log('working')
  }
}

async function publish(storage: Storage, id: string, path: FilePath, options: { replace: boolean }): Promise<void> {
  const staged = storage.stage(id, { near: path })
  await staged.discard()
  const bytes = sealed(Math.floor(Math.random() * 400_000))
  const half = Math.floor(bytes.length / 2)
  await staged.append(bytes.subarray(0, half))
  await staged.append(new Blob([bytes.subarray(half)]).stream())
  await staged.commit(path, options)
}

await work(createLocalStorage(process.argv[2] ?? ''))
