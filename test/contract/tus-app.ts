import { Hono } from 'hono'
import type { Kysely } from 'kysely'
import { AppError } from '../../src/shared/errors.ts'
import { ROOT } from '../../src/shared/file-path.ts'
import type { Access } from '../../src/server/access/access.ts'
import { openDatabase } from '../../src/server/db/database.ts'
import type { Schema } from '../../src/server/db/schema.ts'
import { openDrive } from '/tmp/s5-drive.ts'
import type { Drive } from '../../src/server/drive/drive.ts'
import { errorResponse, incidentFrom } from '../../src/server/http/errors.ts'
import { type Env, rawPath } from '../../src/server/http/mount.ts'
import type { Storage } from '../../src/server/storage/storage.ts'
import { createMemoryStorage } from '../../src/server/storage/memory.ts'
import { createLeases, LEASE_LIMITS, type LeaseLimits } from '../../src/server/uploads/leases.ts'
import { mountUploads } from '../../src/server/uploads/routes.ts'
import { createUploadStore } from '../../src/server/uploads/store.ts'
import { createSweep } from '../../src/server/uploads/sweep.ts'
import { UPLOAD_EXPIRY_MS } from '../../src/server/uploads/uploads.ts'

export interface TusApp extends AsyncDisposable {
  /** With base URL, without trailing slash. */
  readonly url: string
  readonly port: number
  readonly storage: Storage
  readonly db: Kysely<Schema>
  /** What the person of the next request may do. */
  may: Access['may']
  /** Milliseconds that the clock is ahead. */
  ahead: number
  /** Called before a file is published, in the middle of the last request. */
  beforePut: () => Promise<void>
  drive(): Drive
  sweep: ReturnType<typeof createSweep>
}

export const EVERYTHING: Access['may'] = {
  admin: false,
  execute: true,
  create: true,
  rename: true,
  modify: true,
  delete: true,
  share: true,
  download: true,
}

/** The uploads area over a real port, with a person who is always signed in; `X-User` says which. */
export async function startTusApp(options: { storage?: Storage; file?: string; limits?: Partial<LeaseLimits> } = {}): Promise<TusApp> {
  const storage = options.storage ?? createMemoryStorage()
  const control = { may: EVERYTHING, ahead: 0, beforePut: async (): Promise<void> => undefined }
  const clock = (): Date => new Date(Date.now() + control.ahead)
  const db = await openDatabase(options.file === undefined ? 'memory' : { file: options.file }, { clock })
  const store = createUploadStore(db)
  const leases = createLeases({ store, clock, limits: { ...LEASE_LIMITS, ...options.limits } })
  const near = { near: ROOT }
  const staging = {
    staged: () => storage.staged(),
    size: (id: string) => storage.stage(id, near).size(),
    discard: (id: string) => storage.stage(id, near).discard(),
  }
  const driveFor = (access: Access): Drive => {
    const drive: Drive = openDrive(storage, access)
    return { ...drive, put: async (...call) => control.beforePut().then(() => drive.put(...call)) }
  }
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    c.set('path', rawPath(c.req.raw.url).slice('/base'.length))
    c.set('viewer', {
      userId: Number(c.req.header('x-user') ?? 1),
      username: 'ann',
      sessionId: 's',
      access: accessOf(control.may),
      provenAt: clock(),
      shouldRenew: false,
    })
    await next()
  })
  app.onError((error, c) => {
    const known = incidentFrom(error, (line) => console.error(line))
    return errorResponse(known instanceof AppError ? known : new AppError('unexpected', { incident: '' }), c.req.header('accept') ?? '')
  })
  const based = app.basePath('/base')
  mountUploads(based, { store, leases, clock, expiryMs: UPLOAD_EXPIRY_MS, driveFor, baseUrl: '/base' })
  const server = Bun.serve({
    port: 0,
    idleTimeout: 30,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (request) => app.fetch(request, { peer: null }),
  })
  return Object.assign(control, {
    url: `http://localhost:${server.port}/base`,
    port: server.port ?? 0,
    storage,
    db,
    drive: () => openDrive(storage, accessOf(EVERYTHING)),
    sweep: createSweep({ store, leases, clock, expiryMs: UPLOAD_EXPIRY_MS, staging }),
    [Symbol.asyncDispose]: async () => {
      await server.stop(true)
      await db.destroy()
    },
  })
}

function accessOf(may: Access['may']): Access {
  return { scope: ROOT, start: ROOT, may, rules: { empty: true, allows: () => true }, hideDotfiles: false }
}
