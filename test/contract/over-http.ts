import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { serverCommand } from '../../scripts/lib/server.mjs'
import { NOT_OVER_HTTP } from '../../scripts/lib/not-over-http.ts'
import { createPasswords, type Passwords } from '../../src/server/users/password.ts'
import { createProgramClock, type ProgramClock } from './program-clock.ts'
import type { Product, ProductOptions } from './world.ts'

/** What TEST_PROGRAM names is asked over HTTP. A runtime that is told to be one passes that on, and an executable would be no server then. */
export const OVER_HTTP = Boolean(process.env['TEST_PROGRAM']) && process.env['BUN_BE_BUN'] !== '1'

const hashes = new Map<string, Promise<string>>()
const passwords = createPasswords()
/** Of the same cost as those of the program, which would replace others; each password is hashed once. */
export const PROGRAM_PASSWORDS: Passwords = {
  ...passwords,
  hash(password) {
    const hash = hashes.get(password) ?? passwords.hash(password)
    hashes.set(password, hash)
    return hash
  },
}

/** Options that have a flag; the others replace a part of the program, which only the program's own process can do. */
const FLAGS: { readonly [Name in keyof ProductOptions]?: (value: NonNullable<ProductOptions[Name]>) => string[] } = {
  storage: (place) => (typeof place === 'object' && 'capacity' in place ? notOverHttp('storage of a given size') : []),
  baseUrl: (value) => ['--baseURL', value],
  exec: (runs) => [`--disableExec=${!runs}`],
  searchLines: (value) => [`--searchLines=${value}`],
  thumbnails: (value) => [`--disableThumbnails=${!value}`],
  previewResize: (value) => [`--disablePreviewResize=${!value}`],
  snapshotsAt: (value) => ['--snapshots', value],
  webhookNetworks: (value) => ['--webhookNetworks', value.join()],
  framingSites: (value) => ['--framingSites', value.join()],
}
/** After another process has changed an account, until the program has noticed. */
const NOTICED_MS = 60

/**
 * Puts the program that `TEST_PROGRAM` names in the place of a product of this process: requests go to it, and accounts, settings, database and
 * folder, which both share, can still be read and changed directly.
 */
export async function overHttp(product: Product, options: ProductOptions): Promise<Product> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-over-http-'))
  const inProcess = { dispose: product[Symbol.asyncDispose], world: product.world }
  const changes = { setRules: product.setRules, setRights: product.setRights, setScope: product.setScope }
  const clean = async (): Promise<void> => {
    child?.kill('SIGKILL')
    await child?.exited
    await inProcess.dispose()
    await rm(home, { recursive: true, force: true })
  }
  const { baseUrl = '' } = options
  const isCall = (address: string): boolean => {
    // As it is sent, without `..`.
    const { pathname } = new URL(address, 'http://x')
    return ['/api/', '/dav'].some((one) => pathname.startsWith(one) || pathname.startsWith(baseUrl + one))
  }
  const logged: string[] = []
  let child: Bun.Subprocess<'ignore', 'pipe', 'inherit'> | null = null
  let origin: Promise<string>
  let port = 0
  try {
    // The program takes their jobs.
    await inProcess.world.worker.stop()
    await inProcess.world.webhooks.webhookWorker.stop()
    const { rows } = await sql<{ file: string }>`pragma database_list`.execute(product.db)
    const places = ['--root', product.root, '--data', join(home, 'data'), '--database', rows[0]?.file ?? '']
    const flags = [...places, ...flagsOf({ exec: true, ...options }), '--disableIndex', '--logAll', '--logFormat', 'text']
    const clock = createProgramClock(home)
    const env = { ...process.env, ...clock?.env }
    const start = (): Promise<string> => {
      child = Bun.spawn([...serverCommand(), ...flags, '--port', String(port)], { cwd: home, env, stdout: 'pipe', stderr: 'inherit' })
      return listenTo(child.stdout, logged)
    }
    origin = start()
    port = Number(new URL(await origin).port)

    return Object.defineProperties(product, {
      ...values({
        logged,
        // It names the archive of the whole folder.
        secretName: '',
        async ask(address, { who, from, ...init } = {}) {
          if (from !== undefined) notOverHttp('requests from another address')
          const headers = new Headers(init.headers)
          if (who !== undefined) headers.set('x-auth', await product.tokenOf(who))
          const response = await fetch((await origin) + address, { redirect: 'manual', ...init, headers })
          return isWeb(response) && !isCall(address) ? new Response(null, { status: 404 }) : response
        },
        restart() {
          child?.kill('SIGKILL')
          origin = start()
          // Awaiting it throws; a test may end before that.
          origin.catch(() => undefined)
        },
        pass: (ms) => (clock === null ? notOverHttp('clock (libfaketime)') : clock.pass(ms)),
        stopClock: () => (clock === null ? notOverHttp('clock (libfaketime)') : clock.stop()),
        setRules: noticed(changes.setRules),
        setRights: noticed(changes.setRights),
        setScope: noticed(changes.setScope),
        [Symbol.asyncDispose]: clean,
      }),
      port: { get: () => port },
      storage: { value: unchangeable(product.storage) },
      app: { get: () => notOverHttp('calls of the application') },
      world: { get: () => sharedPart(inProcess.world, clock) },
    })
  } catch (error) {
    await clean()
    throw error
  }
}

/** Whether it is the web, which a product of this process does not have. */
export function isWeb({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return OVER_HTTP && status === 200 && headers.get('content-type')?.startsWith('text/html') === true
}

/** For a test that can only be about a product of this process, because of `what`. */
export function onlyInProcess(what: string): void {
  if (OVER_HTTP) notOverHttp(what)
}

function notOverHttp(what: string): never {
  throw new Error(`${NOT_OVER_HTTP}${what}`)
}

function flagsOf(options: ProductOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return []
    // Of the table above, where each flag takes what its option is.
    const flag = (FLAGS as Record<string, ((value: unknown) => string[]) | undefined>)[name]
    return flag?.(value) ?? notOverHttp(`option ${name}`)
  })
}

function values(members: Partial<Product>): PropertyDescriptorMap {
  return Object.fromEntries(Reflect.ownKeys(members).map((name) => [name, { value: Reflect.get(members, name) as unknown }]))
}

/** What both processes can use, because it has no state besides the database and the folder, and the program's clock. */
function sharedPart(world: Product['world'], clock: ProgramClock | null): Product['world'] {
  return new Proxy(world, {
    get(all, name) {
      if (name === 'clock' && clock !== null) return () => clock.now()
      if (name === 'users' || name === 'settings' || name === 'systemDrive') return all[name]
      return notOverHttp(`world.${String(name)}`)
    },
  })
}

/** The program has a storage of its own: changing that of the test would change nothing. */
function unchangeable(storage: Product['storage']): Product['storage'] {
  const refuse = (): never => notOverHttp('storage that misbehaves')
  return new Proxy(storage, { set: refuse, defineProperty: refuse })
}

function noticed<T extends unknown[]>(change: (...args: T) => Promise<void>): (...args: T) => Promise<void> {
  return async (...args) => {
    await change(...args)
    await Bun.sleep(NOTICED_MS)
  }
}

/** @returns the origin, as soon as the program listens; it goes on to collect what is logged, without times */
function listenTo(output: ReadableStream<Uint8Array>, logged: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  async function listen(): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of output) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const url = /^Satchel serves .* at (http:\S+)\/$/.exec(line)?.[1]
        if (url === undefined) logged.push(line.replace(/^\S+ \S+ /, ''))
        else resolve(new URL(url).origin)
      }
    }
    reject(new Error(`the server did not start: ${logged.join('\n')}${rest}`))
  }
  listen().catch(reject)
  return promise
}
