import { mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { type HttpRequest, Upload, type UploadOptions } from 'tus-js-client'
import { href } from '../../src/shared/contract/endpoint.ts'
import { OFFSET_MEDIA_TYPE, tus } from '../../src/shared/contract/tus.ts'
import { AppError } from '../../src/shared/errors.ts'
import { parseFilePath, ROOT } from '../../src/shared/file-path.ts'
import type { Access } from '../../src/server/access/access.ts'
import { compileRules } from '../../src/server/access/rules.ts'
import { openTestDatabase } from '../../src/server/db/test-database.ts'
import type { Schema } from '../../src/server/db/schema.ts'
import { type Drive, openDrive } from '../../src/server/drive/drive.ts'

import { errorResponse, incidentFrom } from '../../src/server/http/errors.ts'
import { createRouter, rawPath } from '../../src/server/http/router.ts'
import type { Storage } from '../../src/server/storage/storage.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import { createLeases, LEASE_LIMITS, type LeaseLimits } from '../../src/server/uploads/leases.ts'
import { mountUploads } from '../../src/server/uploads/routes.ts'
import { createUploadStore } from '../../src/server/uploads/store.ts'
import { createSweep } from '../../src/server/uploads/sweep.ts'
import { UPLOAD_EXPIRY_MS, VISITOR_EXPIRY_MS } from '../../src/server/uploads/uploads.ts'

type Headers = Record<string, string>

/** A PATCH by hand, whose body comes piece by piece. */
export interface ClientLine extends Disposable {
  /** Waits until the server has them all, or has answered. */
  send(bytes: Buffer): Promise<void>
  /** The answer's head, as text. */
  answer(): Promise<string>
}

export interface TusApp extends AsyncDisposable {
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
  address(name: string): string
  ask(method: string, name: string, headers?: Headers, body?: Bun.BodyInit): Promise<Response>
  create(name: string, length: number, headers?: Headers): Promise<Response>
  head(name: string, headers?: Headers): Promise<Response>
  patch(name: string, offset: number, body: Bun.BodyInit, headers?: Headers): Promise<Response>
  openLine(name: string, size: number): Promise<ClientLine>
  /** A PATCH whose line breaks after `at` bytes. */
  dropMidway(name: string, bytes: Buffer, at: number): Promise<void>
  /** With tus-js-client. @returns the methods of the requests it took, also in `methods` */
  uploadWith(bytes: Buffer, name: string, options?: UploadOptions, methods?: string[]): Promise<string[]>
  content(name: string): Promise<Buffer>
  /** Puts a file there as if from somewhere else. */
  plant(name: string, text: string): Promise<void>
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
  const storage = options.storage ?? (await temporaryStorage())
  const control = { may: EVERYTHING, ahead: 0, beforePut: async (): Promise<void> => undefined }
  const clock = (): Date => new Date(Date.now() + control.ahead)
  const db = await openTestDatabase({ clock }, options.file === undefined ? 'memory' : { file: options.file })
  const store = createUploadStore(db)
  const leases = createLeases({ store, clock, limits: { ...LEASE_LIMITS, ...options.limits } })
  const near = { near: ROOT }
  const staging = {
    staged: () => storage.staged(),
    size: (id: string) => storage.stage(id, near).size(),
    changed: (id: string) => storage.stage(id, near).changed(),
    discard: (id: string) => storage.stage(id, near).discard(),
  }
  const driveFor = (access: Access): Drive => {
    const drive: Drive = openDrive(storage, access)
    return { ...drive, put: async (...call) => control.beforePut().then(() => drive.put(...call)) }
  }
  const app = createRouter({ placeOf: ({ url }) => ({ path: rawPath(url).slice('/base'.length), share: null, viewing: null }) })
  app.use((c, next) => {
    c.viewer = {
      userId: Number(c.header('x-user') ?? 1),
      username: 'ann',
      sessionId: c.header('x-session') ?? 's',
      access: accessOf(control.may),
      sorting: { by: 'name', asc: false },
      provenAt: clock(),
      shouldRenew: false,
      isWeb: false,
    }
    return next()
  })
  app.onError((error, c) => {
    const known = incidentFrom(error, (line) => console.error(line))
    return errorResponse(known instanceof AppError ? known : new AppError('unexpected', { incident: '' }), c.header('accept') ?? '')
  })
  mountUploads(app, { store, leases, clock, expiryMs: UPLOAD_EXPIRY_MS, driveFor, baseUrl: '/base' })
  const server = Bun.serve({
    port: 0,
    idleTimeout: 30,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (request) => app.fetch(request, { peer: null }),
  })
  const address = (name: string): string => `http://localhost:${server.port}/base${addressOf(name)}`
  const ask: TusApp['ask'] = (method, name, headers = {}, body) => fetch(address(name), { method, headers, body })
  const arrived = async (): Promise<number> => {
    const sizes = await Promise.all(
      (await storage.staged()).map(async (id) => (await storage.stage(id, near).settle()) ?? staging.size(id)),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  const openLine = async (name: string, size: number): Promise<ClientLine> => lineTo(server.port ?? 0, addressOf(name), { size, arrived })
  const drive = (): Drive => openDrive(storage, accessOf(EVERYTHING))
  return Object.assign(control, {
    storage,
    db,
    drive,
    sweep: createSweep({ store, leases, clock, expiryMs: UPLOAD_EXPIRY_MS, visitorExpiryMs: VISITOR_EXPIRY_MS, staging }),
    address,
    ask,
    openLine,
    create: (name: string, length: number, headers: Headers = {}) => ask('POST', name, { 'upload-length': String(length), ...headers }),
    head: (name: string, headers: Headers = {}) => ask('HEAD', name, headers),
    patch: (name: string, offset: number, body: Bun.BodyInit, headers: Headers = {}) =>
      ask('PATCH', name, { 'content-type': OFFSET_MEDIA_TYPE, 'upload-offset': String(offset), ...headers }, body),
    dropMidway: async (name: string, bytes: Buffer, at: number) => {
      using line = await openLine(name, bytes.length)
      await line.send(bytes.subarray(0, at))
    },
    uploadWith: (bytes: Buffer, name: string, more: UploadOptions = {}, methods: string[] = []) =>
      upload(bytes, { endpoint: address(name), metadata: { filename: name }, ...more }, methods),
    content: async (name: string) => {
      await using file = await drive().open(parseFilePath(name))
      return Buffer.from(await new Response(file.stream(0, file.stat.size)).arrayBuffer())
    },
    plant: async (name: string, text: string) => {
      const staged = storage.stage('plant', near)
      await staged.append(Buffer.from(text))
      await staged.commit(parseFilePath(name), { replace: true })
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop(true)
      await db.destroy()
    },
  })
}

export async function temporaryStorage(): Promise<Storage> {
  return createLocalStorage(await mkdtemp(join(tmpdir(), 'tus-')))
}

function accessOf(may: Access['may']): Access {
  return { scope: ROOT, start: ROOT, may, rules: compileRules([], [], { hideDotfiles: false }), hideDotfiles: false }
}

/** `?override=true` and `&upload=…` may follow the name, a slash may end it. */
function addressOf(name: string): string {
  const [, path = '', override, named] = /^(.*?)([?&]override=true)?(?:[?&]upload=([\w-]+))?$/s.exec(name) ?? []
  const query = { ...(override !== undefined && { override: 'true' }), ...(named !== undefined && { upload: named }) }
  return href(tus.create, { params: { path: parseFilePath(path), slash: path.endsWith('/') }, query })
}

async function upload(bytes: Buffer, options: UploadOptions, methods: string[]): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onBeforeRequest = (request: HttpRequest): void => void methods.push(request.getMethod())
  new Upload(bytes, { retryDelays: [0, 50, 50], onSuccess: resolve, onError: reject, onBeforeRequest, ...options }).start()
  await promise
  return methods
}

function lineTo(port: number, address: string, { size, arrived }: { size: number; arrived: () => Promise<number> }): ClientLine {
  const socket = connect(port, 'localhost')
  socket.on('error', () => undefined)
  const head = [`PATCH /base${address} HTTP/1.1`, 'host: localhost', `content-type: ${OFFSET_MEDIA_TYPE}`, 'upload-offset: 0']
  socket.write(`${[...head, `content-length: ${size}`].join('\r\n')}\r\n\r\n`)
  const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
  let [sent, isAnswered] = [0, false]
  void answer.then(() => (isAnswered = true))
  const isThere = async (): Promise<boolean> => isAnswered || (await arrived()) >= sent
  return {
    send: async (bytes) => {
      socket.write(bytes)
      sent += bytes.length
      while (!(await isThere())) await Bun.sleep(5)
    },
    answer: () => answer,
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
