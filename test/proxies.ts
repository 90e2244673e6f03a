import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** The examples of docs/reverse-proxies.md, run by the programs that they are for. */
const PAGE = readFileSync(join(import.meta.dir, '../docs/reverse-proxies.md'), 'utf8')

export interface Proxy extends AsyncDisposable {
  readonly origin: string
}

export interface Example {
  readonly program: 'nginx' | 'caddy' | 'apache' | 'traefik'
  /** Which example for this program, from 0. */
  readonly which: number
  /** Where Satchel is served, as in the example. */
  readonly base: '' | '/files'
}

export const EXAMPLES: readonly Example[] = [
  { program: 'nginx', which: 0, base: '' },
  { program: 'nginx', which: 1, base: '/files' },
  { program: 'caddy', which: 0, base: '' },
  { program: 'caddy', which: 1, base: '/files' },
  { program: 'apache', which: 0, base: '' },
]

interface Place {
  /** An empty folder for the configuration and whatever the program writes. */
  readonly folder: string
  readonly port: number
  /** Of Satchel: `127.0.0.1:8080`. */
  readonly to: string
}

interface Started {
  readonly command: readonly string[]
  readonly env?: Record<string, string>
}

const START: Record<Example['program'], (which: number, place: Place) => Started> = { nginx, caddy, apache, traefik }

/** @param options.folder is made; @param options.to host and port of Satchel, which runs. Throws with the program's output if it does not start */
export async function startProxy({ program, which, base }: Example, { folder, to }: { folder: string; to: string }): Promise<Proxy> {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const { command, env } = START[program](which, { folder, port, to })
  const child = Bun.spawn([...command], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const origin = `http://127.0.0.1:${port}`
  // Traefik listens before it knows where to forward.
  while (!(await isForwarding(`${origin}${base}/health`))) {
    if (child.exitCode !== null)
      throw new Error(`${program}: ${await new Response(child.stderr).text()}${await new Response(child.stdout).text()}`)
    await Bun.sleep(50)
  }
  return {
    origin,
    async [Symbol.asyncDispose]() {
      // Some wait for open connections when they are asked to stop.
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** An example of the page, with the addresses of this test. */
function example(language: string, which: number, { port, to }: Place): string {
  const found = [...PAGE.matchAll(/^```(\w+)\n([^]*?)\n```$/gm)].filter(([, name]) => name === language)[which]?.[2]
  if (found === undefined) throw new Error(`there is no example ${which} for ${language}`)
  return found
    .replaceAll('127.0.0.1:8080', to)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/^(files\.)?example\.org \{/m, `http://127.0.0.1:${port} {`)
    .replace('<VirtualHost *:80>', `<VirtualHost 127.0.0.1:${port}>`)
    .replace(/Host\(`[\w.]+`\)/, 'Host(`127.0.0.1`)')
    .replace("address: ':80'", `address: '127.0.0.1:${port}'`)
}

function nginx(which: number, place: Place): Started {
  const { folder } = place
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  const frame = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\n`
  const file = written(folder, 'nginx.conf', `${frame}http {\naccess_log off; ${temporary}\n${example('nginx', which, place)}\n}\n`)
  return { command: ['/usr/sbin/nginx', '-p', folder, '-c', file, '-e', `${folder}/error.log`] }
}

function caddy(which: number, place: Place): Started {
  const file = written(place.folder, 'Caddyfile', `{\n  admin off\n}\n\n${example('caddyfile', which, place)}\n`)
  return { command: ['/usr/bin/caddy', 'run', '--adapter', 'caddyfile', '--config', file] }
}

const APACHE_MODULES = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'headers']

function apache(which: number, place: Place): Started {
  const { folder, port } = place
  const modules = APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')
  const frame = `ServerRoot ${folder}\nServerName 127.0.0.1\nListen 127.0.0.1:${port}\nPidFile ${folder}/pid\nDefaultRuntimeDir ${folder}\nErrorLog ${folder}/error.log\n`
  const user = process.getuid?.() === 0 ? 'User www-data\nGroup www-data\n' : ''
  const file = written(folder, 'apache2.conf', `${modules}\n${user}${frame}${example('apache', which, place)}\n`)
  return { command: ['/usr/sbin/apache2', '-X', '-f', file] }
}

/** Not a package of Debian: `tools/test-traefik.ts` builds it. */
function traefik(_: number, place: Place): Started {
  const dynamic = written(place.folder, 'routers.yaml', example('yaml', 0, place))
  const provider = `providers:\n  file:\n    filename: ${dynamic}\n`
  const file = written(place.folder, 'traefik.yaml', `${example('yaml', 1, place)}\n${provider}`)
  return { command: [process.env['TRAEFIK'] ?? 'traefik', `--configFile=${file}`] }
}

function written(folder: string, name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

async function isForwarding(address: string): Promise<boolean> {
  try {
    return (await fetch(address)).ok
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<number>()
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
  })
  return promise
}
