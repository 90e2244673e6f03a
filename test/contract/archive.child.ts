import { createArchiveLimits, respondArchive } from '../../src/server/archives/respond.ts'
import { openDrive } from '../../src/server/drive/drive.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import { EVERYTHING } from '../../src/server/access/everything.ts'
import { ROOT } from '../../src/shared/file-path.ts'

/** Run by the tests under another account: the zip of a folder, on the standard output. */
const [root = ''] = process.argv.slice(2)
const nothing = async () => undefined
const checksums = { recall: async () => [], learn: nothing, save: nothing, sweep: nothing }
const drive = openDrive(createLocalStorage(root), EVERYTHING)
const order = { request: new Request('http://x/'), paths: [ROOT], format: 'zip', rootName: 'files', clientKey: 'x' } as const
const response = await respondArchive({ checksums, limits: createArchiveLimits() }, drive, order)
await Bun.write(Bun.stdout, await response.bytes())
process.exit()
