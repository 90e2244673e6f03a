import { parseFilePath as at } from '../../../shared/file-path.ts'
import type { S3Options } from './options.ts'
import { createS3Storage } from './s3.ts'

/** A process that a test kills: `upload`, without end, or `move`, `keep` or `restore` of a folder. */
const [options = '', action = ''] = process.argv.slice(2)
const storage = createS3Storage(JSON.parse(options) as S3Options)
const kept = { area: 'trash', volume: at('/'), id: 'kept' } as const

switch (action) {
  case 'upload': {
    const staged = storage.stage('upload', { near: at('/large') })
    for (let chunk = 0; ; chunk++) {
      const size = await staged.append(new Uint8Array(1024 ** 2).fill(chunk), { whole: 1e12 })
      console.log(size)
    }
  }
  case 'move':
    await storage.move(at('/folder'), at('/moved'), { replace: false })
    break
  case 'keep':
    await storage.keep(at('/folder'), kept)
    break
  case 'restore':
    await storage.restoreKept(kept, at('/folder'), { replace: false })
    break
  default:
    throw new Error(`unknown action ${action}`)
}
