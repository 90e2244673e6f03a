import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** What stands between the browser and the server. */
export type Behind = 'nothing' | 'nginx' | 'nginx that strips' | 'nginx that refuses'

export interface Proxy {
  readonly origin: string
  readonly process: ChildProcess
}

export interface ProxyOptions {
  readonly home: string
  readonly base: string
  readonly to: string
  readonly strips: boolean
  readonly refuses: boolean
}

const ATTEMPTS = 3

/** Debian's nginx with one location for `base`, configured as docs/reverse-proxies.md says; with `strips`, the server never sees the prefix; with `refuses`, no body over 1 MiB passes, as where nobody configured it. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const folder = join(options.home, 'nginx')
  await mkdir(folder, { recursive: true })
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    await writeFile(join(folder, 'nginx.conf'), configuration({ ...options, folder, port }))
    const nginx = spawn('/usr/sbin/nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
      stdio: 'ignore',
    })
    const origin = `http://127.0.0.1:${port}`
    if (await answers(nginx, `${origin}${options.base}/health`)) return { origin, process: nginx }
    if (attempt === ATTEMPTS) throw new Error('nginx did not start')
  }
}

function configuration({ folder, port, base, to, strips, refuses }: ProxyOptions & { folder: string; port: number }): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  return `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off; ${temporary}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server {
    listen 127.0.0.1:${port};
    location ${base}/ {
      proxy_pass http://${to}${strips ? '/' : ''};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      client_max_body_size ${refuses ? '1m' : '0'}; proxy_request_buffering off; proxy_buffering off; proxy_read_timeout 1h;
    }
  }
}
`
}

/** Asks until the server behind it answers; false when nginx ended, as when somebody took the port. */
async function answers(nginx: ChildProcess, url: string): Promise<boolean> {
  while (nginx.exitCode === null && nginx.signalCode === null) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
