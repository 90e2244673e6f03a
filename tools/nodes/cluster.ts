import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bench/harness.ts'
import { startPostgres } from '../../scripts/lib/postgres.mjs'
import { serverCommand } from '../../scripts/lib/server.mjs'

export const PASSWORD = 'a long word for many people'
/** The address that a client has for the servers: all of them are on one machine. */
export const ADDRESS_HEADER = 'x-client-address'
const NGINX = '/usr/sbin/nginx'
/** Once: it builds the server if that is not built, and nothing else happens here meanwhile. */
const SERVER = serverCommand()
const START_MS = 60_000

export interface Cluster {
  /** Of nginx, which sends each request to any server. */
  readonly url: string
  /** Of each server. */
  readonly urls: readonly string[]
  readonly root: string
  /** The address of the database. */
  readonly database: string
  /** SIGKILL. */
  kill(node: number): Promise<void>
  /** Resolves when it is ready. */
  start(node: number): Promise<void>
  /** Ends everything. */
  close(): Promise<void>
}

/** Servers on one PostgreSQL and one folder, behind nginx without sticky sessions. */
export async function startCluster(count: number): Promise<Cluster> {
  const home = mkdtempSync(join(tmpdir(), 'satchel-nodes-'))
  const root = join(home, 'root')
  mkdirSync(root)
  writeFileSync(join(home, 'password'), PASSWORD)
  const postgres = await startPostgres()
  const ports = Array.from({ length: count }, () => freePort())
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const running = new Map<number, Bun.Subprocess>()

  async function start(node: number): Promise<void> {
    const places = ['--root', root, '--data', join(home, `data-${node}`), '--cacheDir', join(home, 'previews')]
    const first = ['--password-file', join(home, 'password'), '--address', '127.0.0.1', '--port', String(ports[node])]
    const log = Bun.file(join(home, `log-${node}`))
    const command = ['nice', '-n', '10', ...SERVER, ...places, ...first, '--trustedProxies', '127.0.0.1']
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, SATCHEL_DATABASE: postgres.url }
    running.set(node, Bun.spawn(command, { env, stdin: 'ignore', stdout: log, stderr: log }))
    await isReady(`${urls[node]}/ready`)
  }

  async function kill(node: number): Promise<void> {
    const child = running.get(node)
    running.delete(node)
    child?.kill('SIGKILL')
    await child?.exited
  }

  await Promise.all(ports.map((_, node) => start(node)))
  const port = freePort()
  const nginx = startNginx(join(home, 'nginx'), { port, ports })
  const url = `http://127.0.0.1:${port}`
  await isReady(`${url}/ready`)
  return {
    url,
    urls,
    root,
    database: postgres.url,
    kill,
    start,
    async close() {
      await Promise.all([...running.keys()].map(kill))
      nginx.kill('SIGKILL')
      await nginx.exited
      postgres.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function isReady(address: string): Promise<void> {
  for (const end = Date.now() + START_MS; ; await Bun.sleep(50)) {
    const answer = await fetch(address, { headers: { connection: 'close' } }).catch(() => null)
    if (answer?.ok) return
    if (Date.now() > end) throw new Error(`${address} does not answer`)
  }
}

/** As docs/scaling.md has it. */
function startNginx(folder: string, { port, ports }: { port: number; ports: readonly number[] }): Bun.Subprocess {
  mkdirSync(folder)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
worker_rlimit_nofile 8192;
events { worker_connections 4096; }
http {
  access_log off; ${temporary}
  upstream satchel {
    ${ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=2s;`).join('\n    ')}
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    location / {
      proxy_pass http://satchel;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $http_x_client_address;
      proxy_request_buffering off;
      proxy_buffering off;
      proxy_connect_timeout 2s;
      proxy_read_timeout 60s;
      proxy_next_upstream error timeout http_503;
    }
  }
}
`,
  )
  return Bun.spawn([NGINX, '-p', folder, '-c', file, '-e', `${folder}/error.log`], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
}
