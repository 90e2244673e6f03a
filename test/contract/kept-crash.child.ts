import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import type { Kept } from '../../src/server/storage/storage.ts'
import { sealed } from '../../src/server/storage/test-sealed.ts'

/** One operation about kept nodes, once. Started by kept-crash.test.ts with its name and the folder. */
const [, , operation, root = ''] = process.argv
const storage = createLocalStorage(root)
const node: Kept = { area: 'trash', volume: ROOT, id: 'node' }

if (operation === 'keep') await storage.keep(at('/d'), node)
if (operation === 'restore') await storage.restoreKept(node, at('/back'), { replace: false })
if (operation === 'restore over') await storage.restoreKept(node, at('/a'), { replace: true })
if (operation === 'drop') await storage.dropKept(node)
if (operation === 'replace') {
  const staged = storage.stage('upload', { near: at('/a') })
  await staged.append(sealed(2000), { at: 0 })
  await staged.commit(at('/a'), { replace: true, keep: { area: 'versions', volume: ROOT, id: 'version' } })
}
process.exit(0)
