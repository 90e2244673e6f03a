import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe } from 'bun:test'
import { type Kysely, sql } from 'kysely'
import { type Client, createClient } from '../../src/shared/contract/client.ts'
import { api } from '../../src/shared/contract/index.ts'
import type { Permissions, Rule } from '../../src/shared/contract/users.ts'
import { joinPath, parentOf, parseFilePath, ROOT, segmentsOf, type FilePath } from '../../src/shared/file-path.ts'
import { ALL_RIGHTS } from '../../src/server/access/permissions.ts'
import { createMemoryBus } from '../../src/server/bus/memory.ts'
import { createPictureCache } from '../../src/server/previews/cache.ts'
import { createBubblewrap } from '../../src/server/sandbox/bubblewrap.ts'
import type { Exec } from '../../src/server/commands/sandbox-mount.ts'
import { createApp } from '../../src/server/app.ts'
import { openTestDatabase } from '../../src/server/db/test-database.ts'
import type { Schema } from '../../src/server/db/schema.ts'
import type { Router } from '../../src/server/http/router.ts'
import type { OwnOrigin } from '../../src/server/http/own-origin.ts'
import { type Entry, textOf } from '../../src/server/http/log.ts'
import type { Pace } from '../../src/server/live/folder-events.ts'
import { listen, type Listener } from '../../src/server/listen.ts'
import type { RunHook } from '../../src/server/sessions/run-hook.ts'
import type { Sandbox } from '../../src/server/sandbox/sandbox.ts'
import { createLocalSnapshots } from '../../src/server/storage/local-snapshots.ts'
import { snapshotPattern } from '../../src/server/storage/snapshot-pattern.ts'
import { createSnapshots } from '../../src/server/snapshots/snapshots.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import { createMemoryStorage } from '../../src/server/storage/test-memory-storage.ts'
import type { Storage } from '../../src/server/storage/storage.ts'
import type { Account } from '../../src/server/users/account.ts'
import { createPasswords, type Passwords } from '../../src/server/users/password.ts'
import type { TreeIndex } from '../../src/server/index/tree-index.ts'
import { createWorld, type World } from '../../src/server/world.ts'
import type { UnpackLimits } from '../../src/server/unpack/unpacker.ts'
import { OVER_HTTP, overHttp, PROGRAM_PASSWORDS } from './over-http.ts'

export const PASSWORD = 'correct horse battery'
/** Where calls come from: in this process not from this machine, so that nothing is taken for its own. */
export const PEER = OVER_HTTP ? '127.0.0.1' : '192.0.2.7'
export const HOUR_MS = 3600_000
const LOOPBACK = { address: '127.0.0.1', port: 0, socket: null, socketPerm: 0o600, cert: null, key: null, trustedProxies: [], baseURL: '' }

/** Every right but administration. */
export const EVERYTHING: Permissions = { ...ALL_RIGHTS, admin: false }

export interface Person {
  may?: Permissions
  rules?: Rule[]
  /** The root by default. */
  scope?: string
  hideDotfiles?: boolean
}

export interface Product extends AsyncDisposable {
  readonly storage: Storage
  readonly db: Kysely<Schema>
  readonly world: World
  readonly app: Router
  /** The folder that is served; empty in memory. */
  readonly root: string
  /** A part of every path on this machine that must never be seen from outside; empty in memory. */
  readonly secretName: string
  /** Of the real port; 0 in memory, where calls stay in the process. */
  readonly port: number
  readonly logged: string[]
  /** Time goes by. */
  pass(ms: number): void
  /** From now on it goes by only where `pass` says so: for delays that a busy machine must not outlast. */
  stopClock(): void
  /** The program again, over the same database and storage. */
  restart(): void
  /** `root` (an administrator) and `ann` (who may do everything else) are there from the start. */
  add(username: string, person?: Person): Promise<Account>
  account(username: string): Promise<Account>
  /** The contract's own client, signed in at its first call. Nobody for `visitor`. */
  as(who: string): Client<typeof api>
  /** A token by way of the login. */
  signIn(who: string): Promise<string>
  /** The same, for the first time only. */
  tokenOf(who: string): Promise<string>
  /** A sign-in as our own web does it. */
  signInWeb(who: string): Promise<{ token: string; cookie: string }>
  /** Any request, as it comes; `who` adds a token, `from` says whence it comes where it stays in this process. */
  ask(address: string, init?: RequestInit & { who?: string; from?: Sender }): Promise<Response>
  setRules(who: string, rules: Rule[]): Promise<void>
  setRights(who: string, may: Permissions): Promise<void>
  setScope(who: string, scope: string): Promise<void>
  /** Paths with their text; a trailing slash makes a folder. */
  seed(files: Record<string, string | Uint8Array>): Promise<void>
  /** Creates a symbolic link, as a user with access to the disk could. */
  link(path: string, target: string): Promise<void>
  /** Everything the storage holds, by path, staging included: equal before and after means nothing was changed. */
  snapshot(): Promise<Record<string, string>>
  read(path: string): Promise<string>
}

/** Another end of the connection: a trusted proxy, or somebody with an address of their own. */
export interface Sender {
  readonly peer?: string
  readonly trusted?: boolean
  readonly secure?: boolean
}

export interface ProductOptions {
  /** A folder that is there already, or so many bytes of memory. */
  storage?: 'memory' | 'local' | { folder: string } | { capacity: number }
  baseUrl?: string
  /** Whether commands run. */
  exec?: boolean
  /** Of commands and hooks, where they are not the usual. */
  execLimits?: Exec['limits']
  holdsRules?: boolean
  searchLines?: boolean
  captchaHosts?: readonly string[]
  runHook?: RunHook
  thumbnails?: boolean
  previewResize?: boolean
  livePace?: Pace
  sandbox?: Sandbox
  unpackLimits?: UnpackLimits
  webhookNetworks?: readonly string[]
  /** Where snapshots of the folder are, as the setting `snapshots` says it. */
  snapshotsAt?: string
  treeIndex?: TreeIndex
  /** Which requests come from our own pages. */
  origins?: OwnOrigin
  framingSites?: readonly string[]
  passwords?: Passwords
  /** What stands between the product and its storage. */
  around?: (storage: Storage) => Storage
}

/** Memory with a database in memory, and a folder with a database file; a program that is asked over HTTP has only the latter. */
export const STORAGES = OVER_HTTP ? (['local'] as const) : (['memory', 'local'] as const)

/** The same sentences on each storage. */
export function onEachStorage(suite: (product: () => Product) => void, options: ProductOptions = {}): void {
  for (const storage of STORAGES) {
    describe(`on ${storage} storage`, () => {
      let product: Product
      beforeEach(async () => {
        product = await startProduct({ ...options, storage })
      })
      afterEach(async () => {
        await product[Symbol.asyncDispose]()
      })
      suite(() => product)
    })
  }
}

/** In this process, or the program that TEST_PROGRAM names, over HTTP. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  if (!OVER_HTTP) return startInProcess(options)
  const { storage = 'local', baseUrl } = options
  return overHttp(
    await startInProcess({ baseUrl, passwords: PROGRAM_PASSWORDS, storage: storage === 'memory' ? 'local' : storage }),
    options,
  )
}

async function startInProcess({
  storage: place = 'memory',
  baseUrl = '',
  exec = true,
  execLimits,
  holdsRules: endsOnChange,
  searchLines,
  captchaHosts = [],
  thumbnails = true,
  previewResize = true,
  livePace,
  sandbox = createBubblewrap(),
  unpackLimits,
  webhookNetworks = [],
  snapshotsAt,
  origins,
  framingSites,
  passwords = createPasswords({ cost: { memoryKiB: 8, passes: 1 } }),
  around = (inner) => inner,
  ...adapters
}: ProductOptions = {}): Promise<Product> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-contract-'))
  const inMemory = place === 'memory' || (typeof place === 'object' && 'capacity' in place)
  const root = inMemory ? '' : place === 'local' ? await mkdtemp(join(home, 'root-')) : place.folder
  const memory = inMemory ? createMemoryStorage(place === 'memory' ? {} : place) : null
  const storage = memory ?? createLocalStorage(root)
  let ahead = 0
  let stoppedAt: number | null = null
  const clock = () => new Date((stoppedAt ?? Date.now()) + ahead)
  const db = await openTestDatabase({ clock }, inMemory ? 'memory' : { file: join(home, 'satchel.db') })
  const logged: string[] = []
  const log = (entry: Entry) => void logged.push(textOf(entry))
  const pictures = createPictureCache(join(home, 'previews'), { limitBytes: 100 * 1024 ** 2, clock })
  const start = () => {
    const bus = createMemoryBus()
    const world = createWorld(
      {
        storage: around(storage),
        db,
        bus,
        clock,
        log,
        passwords,
        sandbox,
        pictures,
        ...(snapshotsAt !== undefined && { snapshots: createSnapshots(createLocalSnapshots(snapshotPattern(snapshotsAt, root))) }),
        ...adapters,
        exec: exec ? { sandbox, sandboxed: true, folderOf: (path) => join(root, path), limits: execLimits, endsOnChange } : null,
      },
      {
        baseUrl,
        typeDetectionByHeader: true,
        sessionLifetimeMs: 2 * HOUR_MS,
        imageProcessors: 2,
        thumbnails,
        previewResize,
        searchLines,
        captchaHosts,
        unpackLimits,
        webhookNetworks,
        livePace,
      },
    )
    return { world, bus, app: createApp(world, { logAll: true, origins, framingSites, mountRest: () => {} }) }
  }
  let running = start()
  const worlds = [running.world]
  // Bytes of a folder's files leave by way of the kernel, which takes a real port.
  const listener: Listener | null = inMemory
    ? null
    : await listen(LOOPBACK, { fetch: (request, bindings) => running.app.fetch(request, bindings) }, { log })
  const tokens = new Map<string, Promise<string>>()

  const account = async (name: string) => (await running.world.users.findByName(name)) ?? missing(name)

  async function change(who: string, columns: { rules?: string; perm?: string; scope?: string }): Promise<void> {
    const { id } = await account(who)
    await db
      .updateTable('users')
      .set({ ...columns, version: sql`version + 1` })
      .where('id', '=', id)
      .execute()
    running.bus.announce('user.changed', { userId: id })
  }

  const product: Product = {
    storage,
    db,
    root,
    logged,
    port: listener === null ? 0 : Number(new URL(listener.url).port),
    secretName: inMemory ? '' : root.slice(root.lastIndexOf('/') + 1),
    get world() {
      return running.world
    },
    get app() {
      return running.app
    },
    pass: (ms) => void (ahead += ms),
    stopClock: () => void (stoppedAt = Date.now()),
    restart() {
      running = start()
      worlds.push(running.world)
    },
    async add(username, { may = EVERYTHING, rules = [], scope = '/', hideDotfiles = false } = {}) {
      const { defaults } = await running.world.settings.read()
      return running.world.users.create({
        ...defaults,
        username,
        password: PASSWORD,
        perm: may,
        rules,
        scope,
        hideDotfiles,
        lockPassword: false,
      })
    },
    account,
    as: (who) =>
      createClient(api, async (address, init) =>
        product.ask(baseUrl + address, who === 'visitor' ? init : withToken(init, await product.tokenOf(who))),
      ),
    async signIn(who) {
      const body = JSON.stringify({ username: who, password: PASSWORD })
      const response = await product.ask(`${baseUrl}/api/login`, { method: 'POST', body })
      return response.ok ? response.text() : missing(`sign-in of ${who}: ${response.status}`)
    },
    tokenOf: (who) => tokens.get(who) ?? remember(tokens, who, product.signIn(who)),
    async signInWeb(who) {
      const body = JSON.stringify({ username: who, password: PASSWORD })
      const response = await product.ask(`${baseUrl}/api/login`, { method: 'POST', body, headers: { 'x-satchel-web': '1' } })
      return { token: await response.text(), cookie: response.headers.get('set-cookie')?.split(';', 1)[0] ?? '' }
    },
    async ask(address, { who, from, ...init } = {}) {
      const all = who === undefined ? init : withToken(init, await product.tokenOf(who))
      if (listener === null)
        return running.app.fetch(new Request(`http://satchel.test${address}`, all), { peer: PEER, secure: false, ...from })
      return fetch(new URL(listener.url).origin + address, { redirect: 'manual', ...all })
    },
    setRules: (who, rules) => change(who, { rules: JSON.stringify(rules) }),
    setRights: (who, may) => change(who, { perm: JSON.stringify(may) }),
    setScope: (who, scope) => change(who, { scope }),
    seed: (files) => (inMemory ? seed(storage, files) : plant(root, files)),
    link: (path, target) => (memory === null ? symlink(target, join(root, path)) : memory.plantLink(parseFilePath(path), target)),
    snapshot: () => snapshot(storage),
    read: (path) => readFile(storage, parseFilePath(path)),
    async [Symbol.asyncDispose]() {
      for (const old of worlds.slice(0, -1)) {
        old.close()
        old.writer[Symbol.dispose]()
        await old.worker.stop()
        await old.webhooks.webhookWorker.stop()
        await old.stopHandOvers()
        old.previews.end()
      }
      running.world.close()
      await listener?.stop(0)
      await running.world.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
  await product.add('root', { may: { ...EVERYTHING, admin: true } })
  await product.add('ann')
  return product
}

export function deny(path: string): Rule {
  return { regex: false, allow: false, path, regexp: null }
}

export function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('x-auth', token)
  return { ...init, headers }
}

/** Straight to the disk, where nothing waits for it to be durable. */
async function plant(root: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(root, name.endsWith('/') ? name : dirname(name)), { recursive: true })
    if (!name.endsWith('/')) await writeFile(join(root, name), content, { mode: 0o640 })
  }
}

async function seed(storage: Storage, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = parseFilePath(name)
    await makeFolders(storage, name.endsWith('/') ? path : parentOf(path))
    if (name.endsWith('/')) continue
    const staged = storage.stage('seed', { near: path })
    await staged.append(Buffer.from(content))
    await staged.commit(path, { replace: true })
  }
}

async function makeFolders(storage: Storage, path: FilePath): Promise<void> {
  let folder = ROOT
  for (const segment of segmentsOf(path)) {
    folder = joinPath(folder, segment)
    if ((await storage.stat(folder)) === null) await storage.makeFolder(folder)
  }
}

async function snapshot(storage: Storage): Promise<Record<string, string>> {
  const found: Record<string, string> = { staged: (await storage.staged()).sort().join() }
  const folders = [ROOT]
  for (const folder of folders) {
    for (const name of (await storage.list(folder)).names) {
      const path = joinPath(folder, name)
      const stat = await storage.stat(path)
      if (stat?.kind === 'folder') folders.push(path)
      const content = stat?.kind === 'file' ? await readFile(storage, path) : ''
      found[path] = `${stat?.kind} ${stat?.mode} ${stat?.kind === 'folder' ? '' : stat?.modified} ${content}`
    }
  }
  return found
}

async function readFile(storage: Storage, path: FilePath): Promise<string> {
  await using file = await storage.open(path)
  return await new Response(file.stream(0, file.stat.size)).text()
}

function remember<T>(map: Map<string, T>, key: string, value: T): T {
  map.set(key, value)
  return value
}

function missing(what: string): never {
  throw new Error(`not there: ${what}`)
}
