import { Hono } from 'hono'
import { ROOT } from '../src/shared/file-path.ts'
import { ALL_RIGHTS } from '../src/server/access/permissions.ts'
import { compileRules } from '../src/server/access/rules.ts'
import { openDrive } from '../src/server/drive/drive.ts'
import { createFolderWriter } from '../src/server/files/folder-writer.ts'
import { mountFiles } from '../src/server/files/routes.ts'
import { type Env, rawPath } from '../src/server/http/mount.ts'
import { createLocalStorage } from '../src/server/storage/local.ts'

/** The files area alone over a real folder, for a person with every right: `bun bench/harness.ts ROOT`. Prints its port. */
const rules = compileRules([], [], { hideDotfiles: false })
const access = { scope: ROOT, start: ROOT, may: ALL_RIGHTS, rules, hideDotfiles: false }
const viewer = { userId: 1, username: 'bench', sessionId: '', access, provenAt: new Date(0), shouldRenew: false }
const storage = createLocalStorage(process.argv[2] ?? '.')

const app = new Hono<Env>({ getPath: (request) => rawPath(request.url) })
app.get('/health', (c) => c.json({ status: 'OK' }))
app.use(async (c, next) => {
  c.set('viewer', viewer)
  c.set('path', rawPath(c.req.raw.url))
  await next()
})
mountFiles(app, {
  driveFor: (owner) => openDrive(storage, owner),
  sortingFor: () => ({ by: 'name', asc: false }),
  writer: createFolderWriter(),
  options: { typeDetectionByHeader: true },
})

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request, { peer: '127.0.0.1' }) })
console.log(server.port)
