import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { RUNTIME_COMMAND } from './entries/runtime.ts'

/** Longer than two signals are apart that are one, passed on twice. */
const APART_MS = 500

let home = ''
let running: Bun.Subprocess[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'satchel-main-'))
  await writeFile(join(home, 'entry.ts'), ENTRY)
})
afterEach(async () => {
  for (const one of running) one.kill('SIGKILL')
  running = []
  await rm(home, { recursive: true, force: true })
})

describe('a first start', () => {
  it('creates the folders, and prints the address and the password once', async () => {
    const first = await start()
    expect(first.said()).toMatch(/^Satchel serves \/.*\/files at http:\/\/127\.0\.0\.1:\d+\/\n/m)
    await first.tells('made-up')
    expect(first.said()).toContain('Sign in as admin with the password made-up\n')
    await first.end()
    const second = await start()
    await second.end()
    expect(second.said()).not.toContain('password')
  })

  it('uses the given password and prints none', async () => {
    await writeFile(join(home, 'secret'), 'correct horse\nsecond line\n')
    const server = await start(['--password-file', 'secret'])
    expect(await (await fetch(`${server.url}given`)).json()).toEqual({ text: 'correct horse' })
    expect(server.said()).not.toContain('correct')
  })

  it('does not need the password file again', async () => {
    await writeFile(join(home, 'secret'), 'correct horse')
    await (await start(['--password-file', 'secret'])).end()
    await rm(join(home, 'secret'))
    const server = await start(['--password-file', 'secret'])
    expect(await (await fetch(`${server.url}given`)).json()).toBe(null)
  })

  it('uses it at the next start if the first was killed before creating an account', async () => {
    await writeFile(join(home, 'secret'), 'correct horse')
    await (await start(['--password-file', 'secret'])).end()
    const server = await start(['--password-file', 'secret', '--username', 'nobody-yet'])
    expect(await (await fetch(`${server.url}given`)).json()).toEqual({ text: 'correct horse' })
  })

  it('is refused if the password file is missing, and leaves nothing behind', async () => {
    expect(await refusal(['--password-file', 'none'])).toBe(`satchel: --password-file ${home}/none cannot be read\n`)
    expect(await stat(join(home, 'data')).catch(() => null)).toBe(null)
  })

  it('is refused where there was a database, unless requested explicitly', async () => {
    await (await start()).end()
    await rm(join(home, 'data'), { recursive: true })
    const line = await refusal([])
    expect(line).toContain(`${home}/data/satchel.db`)
    expect(line).toContain('--new-database')
    await (await start(['--new-database'])).end()
    await (await start()).end()
  })

  it('R7: is refused if the marker of the served folder is missing, unless requested explicitly', async () => {
    await (await start()).end()
    // As a mount point is whose disk is not mounted.
    await rm(join(home, 'files/.satchel'), { recursive: true })
    const line = await refusal([])
    expect(line).toContain(`${home}/files was served before`)
    expect(line).toContain('--new-root')
    expect(await readdir(join(home, 'files'))).toEqual([])
    await (await start(['--new-root'])).end()
    await (await start()).end()
    await mkdir(join(home, 'other'))
    await (await start(['--root', 'other'])).end()
  })

  it('is refused if the database is empty', async () => {
    await (await start()).end()
    await writeFile(join(home, 'data/satchel.db'), '')
    expect(await refusal([])).toContain('--new-database')
  })

  it('accepts a database that was moved', async () => {
    await (await start()).end()
    await mkdir(join(home, 'elsewhere'))
    await writeFile(join(home, 'elsewhere/x.db'), await readFile(join(home, 'data/satchel.db')))
    await (await start(['-d', 'elsewhere/x.db'])).end()
    expect(await readFile(join(home, 'files/.satchel/installed'), 'utf8')).toContain('elsewhere/x.db')
  })

  it('writes no marker through a link in the served folder', async () => {
    await mkdir(join(home, 'files'))
    await mkdir(join(home, 'aside'))
    await symlink(join(home, 'aside'), join(home, 'files/.satchel'))
    await (await start()).end()
    expect(await stat(join(home, 'aside/installed')).catch(() => null)).toBe(null)
  })

  it('creates only the default folder; another missing folder is an error', async () => {
    expect(await refusal(['--root', 'flies'])).toBe(`satchel: --root ${home}/flies is no folder; create it, or name the folder to serve\n`)
    await writeFile(join(home, 'files'), 'a file')
    expect(await refusal([])).toBe(`satchel: ${home}/files cannot be made; name a folder to serve with --root\n`)
  })
})

describe('a failed start', () => {
  it('prints one line and exits with 1', async () => {
    expect(await refusal(['--port', 'x'])).toBe('satchel: --port: "x" is not a number from 0 to 65535\n')
    expect(await refusal(['nonsense'])).toBe('satchel: unknown command nonsense; --help lists them all\n')
    expect(await refusal(['--prot', '9000'])).toBe('satchel: unknown flag --prot; did you mean --port?\n')
    expect(await refusal(['--address', '192.0.2.1'])).toMatch(
      /192\.0\.2\.1:\d+ is no address of this machine; choose another with --address\n$/,
    )
    expect(await refusal(['--log', 'no/such/folder/x.log'])).toMatch(
      /^satchel: --log .*\/no\/such\/folder\/x\.log cannot be written: ENOENT: no such file or directory/,
    )
    expect(await refusal(['--cert', 'no.pem', '--key', 'no.pem'])).toContain('--cert')
  })

  it('reports that the port is taken', async () => {
    const { url } = await start()
    const { port } = new URL(url)
    expect(await refusal(['--port', port])).toBe(`satchel: 127.0.0.1:${port} is already in use; choose another with --port\n`)
  })
})

describe('stopping', () => {
  it('lets running downloads finish, and accepts no new ones', async () => {
    const server = await start()
    const [download, longer] = [await fetch(`${server.url}slow`), await fetch(`${server.url}endless`)]
    server.process.kill('SIGTERM')
    while (await isServed(server.url)) await Bun.sleep(5)
    expect(server.said()).not.toContain('world stopped')
    expect(await download.text()).toBe('x'.repeat(8))
    await longer.body?.cancel()
    expect(await server.process.exited).toBe(0)
    expect(server.said()).toContain('world stopped')
  })

  it('does not wait for idle connections', async () => {
    const server = await start(['--shutdownGrace', '20s'])
    await (await fetch(server.url)).text()
    const begun = performance.now()
    await server.end()
    expect(performance.now() - begun).toBeLessThan(5000)
  })

  it('aborts what has not finished after the grace period', async () => {
    const server = await start(['--shutdownGrace', '300ms'])
    const download = await fetch(`${server.url}endless`)
    const cut = download.text().then(
      () => 'ended',
      () => 'cut',
    )
    server.process.kill('SIGINT')
    expect(await server.process.exited).toBe(0)
    expect(await cut).toBe('cut')
  })

  it('is immediate at a second signal, unless it is a duplicate of the first', async () => {
    const server = await start(['--shutdownGrace', '20s'])
    const download = await fetch(`${server.url}slow`)
    server.process.kill('SIGINT')
    server.process.kill('SIGINT')
    expect(await download.text()).toBe('x'.repeat(8))
    expect(await server.process.exited).toBe(0)

    const other = await start(['--shutdownGrace', '20s'])
    const endless = await fetch(`${other.url}endless`)
    other.process.kill('SIGTERM')
    await other.tells('stopping')
    await Bun.sleep(APART_MS)
    other.process.kill('SIGTERM')
    expect(await other.process.exited).toBe(130)
    await endless.text().catch(() => '')
  })
})

describe('listening', () => {
  it('works on a unix socket with permissions, and replaces a stale one', async () => {
    const socket = join(home, 'my.sock')
    const first = await start(['--socket', socket, '--socket-perm', '0660', '--trustedProxies', 'unix'])
    expect(first.said()).toContain(`at unix:${socket}`)
    expect((await stat(socket)).mode & 0o777).toBe(0o660)
    const origin = await fetch('http://x/origin', {
      unix: socket,
      headers: { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' },
    })
    expect(await origin.json()).toEqual({ peer: '192.0.2.7', secure: true })
    expect(await refusal(['--socket', socket])).toContain('already in use')
    first.process.kill('SIGKILL')
    await first.process.exited
    const second = await start(['--socket', socket])
    expect((await fetch('http://x/health', { unix: socket })).status).toBe(200)
    await second.end()
    expect(await stat(socket).catch(() => null)).toBe(null)
  })

  it('has no idle timeout for long work, on a port and on a socket', async () => {
    const socket = join(home, 'my.sock')
    const [byPort, bySocket] = [await start(), await start(['--socket', socket])]
    const late = [fetch(`${byPort.url}late`), fetch('http://x/late', { unix: socket })]
    expect(await Promise.all(late.map(async (one) => (await one).text()))).toEqual(['late', 'late'])
    await bySocket.end()
  }, 300_000)

  it('never replaces another file', async () => {
    await writeFile(join(home, 'precious'), 'x')
    expect(await refusal(['--socket', 'precious'])).toContain('is no socket')
    expect(await readFile(join(home, 'precious'), 'utf8')).toBe('x')
  })

  it('supports TLS from 1.2 on, with HTTP/1.1 only (A4-10)', async () => {
    const [cert, key] = [join(home, 'c.pem'), join(home, 'k.pem')]
    execFileSync(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -keyout ${key} -out ${cert} -days 2 -nodes -subj /CN=localhost`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    )
    await chmod(key, 0o600)
    const { url } = await start(['--cert', cert, '--key', key])
    expect(url).toStartWith('https://')
    const origin = await fetch(`${url}origin`, { tls: { rejectUnauthorized: false } })
    expect(await origin.json()).toMatchObject({ secure: true })
    expect([protocolOf(url, 'tls1_1'), protocolOf(url, 'tls1_2'), protocolOf(url, 'tls1_3')]).toEqual([false, true, true])
    const socket = tls.connect({ port: Number(new URL(url).port), ALPNProtocols: ['h2', 'http/1.1'], rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    expect(socket.alpnProtocol).not.toBe('h2')
    socket.destroy()
  })

  it('accepts bodies of any size', async () => {
    const { url } = await start()
    const chunk = new Uint8Array(1024 * 1024)
    const body = new ReadableStream({
      start: () => {},
      pull: (() => {
        let left = 200
        return (controller: ReadableStreamDefaultController) => (left-- > 0 ? controller.enqueue(chunk) : controller.close())
      })(),
    })
    expect(await (await fetch(`${url}count`, { method: 'POST', body })).text()).toBe(String(200 * 1024 * 1024))
  })

  it('never reveals internal errors', async () => {
    const server = await start()
    const response = await fetch(`${server.url}broken`)
    expect([response.status, await response.text()]).toEqual([500, '500 Internal Server Error\n'])
    await server.tells('/home/secret')
  })

  it('trusts no forwarding header by default (I10)', async () => {
    const { url } = await start()
    const origin = await fetch(`${url}origin`, { headers: { 'x-forwarded-for': '9.9.9.9', 'x-forwarded-proto': 'https' } })
    expect(await origin.json()).toEqual({ peer: '127.0.0.1', secure: false })
  })
})

describe('the other commands', () => {
  it('include explain, help, version and hash', async () => {
    expect(await output(['config', 'explain', 'port'], { FB_PORT: '99' })).toContain('port = 99\n')
    expect(await output(['config', 'explain', 'base-url'])).toContain('baseURL = (empty)')
    expect(await output(['--help'])).toContain('--tokenExpirationTime DURATION')
    expect(await output(['version'])).toMatch(/^Satchel v\d/)
    const hash = (await output(['hash', 'correct horse'])).trim()
    expect(await Bun.password.verify('correct horse', hash)).toBe(true)
    expect(await refusal(['hash', 'x'.repeat(73)])).toContain('1 to 72 bytes')
    expect(await refusal(['config', 'explain', 'prot'])).toContain('unknown setting prot')
  }, 300_000)
})

/** Over a connection of its own. */
async function isServed(url: string): Promise<boolean> {
  return fetch(url, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The program over a stand-in for the product: its database is a file with a word in it. */
const ENTRY = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { main } from '${join(import.meta.dir, 'main.ts')}'
import { systemFiles } from '${join(import.meta.dir, 'config/system-files.ts')}'

async function compose(config, { password, log }) {
  const isNew = !existsSync(config.database) || Bun.file(config.database).size === 0
  mkdirSync(dirname(config.database), { recursive: true })
  if (isNew) writeFileSync(config.database, 'rows')
  const given = isNew || config.username === 'nobody-yet' ? password() : null
  const stream = (count) => new Response(new ReadableStream({
    async pull(controller) {
      await Bun.sleep(100)
      if (count-- <= 0) return controller.close()
      controller.enqueue(new TextEncoder().encode('x'))
    },
  }))
  const routes = {
    '/given': () => Response.json(given),
    '/slow': () => stream(8),
    '/endless': () => stream(Infinity),
    '/late': async () => { await Bun.sleep(11_500); return new Response('late') },
    '/broken': () => { throw new Error('at /home/secret') },
    '/origin': (request, { peer, secure }) => Response.json({ peer, secure }),
    '/count': async (request) => { let size = 0; for await (const chunk of request.body) size += chunk.length; return new Response(String(size)) },
  }
  return {
    app: { fetch: (request, bindings) => (routes[new URL(request.url).pathname] ?? (() => new Response('ok')))(request, bindings) },
    firstPassword: isNew && given === null ? 'made-up' : null,
    close: () => undefined,
    retire: () => undefined,
    stop: async () => console.log('world stopped'),
  }
}
const options = { argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), files: systemFiles, program: '/program' }
process.exit(await main(options, async () => ({ compose, openRoot: () => Promise.reject(new Error('not used')), lookAtRoot: () => Promise.reject(new Error('not used')) }), { out: console.log, complain: console.error }))
`

interface Started {
  readonly process: Bun.Subprocess
  readonly url: string
  said(): string
  /** Waits until it has printed that. */
  tells(text: string): Promise<void>
  end(): Promise<void>
}

function run(args: readonly string[], env: Record<string, string> = {}) {
  const { PATH = '' } = process.env
  const child = Bun.spawn([...RUNTIME_COMMAND, join(home, 'entry.ts'), ...args], {
    cwd: home,
    env: { PATH, HOME: home, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: 'ignore',
  })
  running.push(child)
  return child
}

async function start(args: readonly string[] = []): Promise<Started> {
  const isPlaced = args.some((arg) => arg === '--socket' || arg === '--port')
  const child = run(isPlaced ? args : ['--port', '0', ...args])
  let printed = ''
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    for await (const chunk of stream) printed += new TextDecoder().decode(chunk)
  }
  const ended = Promise.all([collect(child.stdout), collect(child.stderr)])
  const tells = async (text: string): Promise<void> => {
    while (!printed.includes(text) && child.exitCode === null) await Bun.sleep(5)
    if (!printed.includes(text)) throw new Error(`ended with ${child.exitCode}: ${printed}`)
  }
  await tells('Satchel serves')
  return {
    process: child,
    url: / at (\S+)/.exec(printed)?.[1] ?? '',
    said: () => printed,
    tells,
    async end() {
      child.kill('SIGTERM')
      await Promise.all([child.exited, ended])
    },
  }
}

/** What it complains of; it must end with 1. */
async function refusal(args: readonly string[]): Promise<string> {
  const isPlaced = args.some((arg) => ['--socket', '--port', 'hash'].includes(arg))
  const child = run(isPlaced ? args : ['--port', '0', ...args])
  const [complaint, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return code === 1 ? complaint : `ended with ${code}: ${complaint}`
}

async function output(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  return new Response(run(args, env).stdout).text()
}

function protocolOf(url: string, version: string): boolean {
  try {
    const args = ['s_client', '-connect', new URL(url).host, `-${version}`, '-cipher', 'ALL:@SECLEVEL=0']
    execFileSync('openssl', args, { input: '', stdio: ['pipe', 'ignore', 'ignore'] })
    return true
  } catch {
    return false
  }
}
