import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Ports of the server that answers first, and of the one that is asked where the first is unreachable or does not know a link. */
export interface Order {
  readonly first: number
  readonly second: number
}

export interface Proxy extends AsyncDisposable {
  readonly url: string
  /** Changes the order as an operator does, by a reload. Resolves when the old order answers nothing any more. */
  switchTo(order: Order): Promise<void>
}

/** nginx with the configuration of `docs/migrate.md`. */
export async function startProxy(home: string, { port, order }: { port: number; order: Order }): Promise<Proxy> {
  mkdirSync(home, { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${home}/${name};`).join(' ')
  const example = exampleOf('docs/migrate.md').replace('listen 80;', `listen 127.0.0.1:${port};`)
  const write = (now: Order): void => {
    const site = example.replace(/^upstream[^]*?(?=\nmap )/m, upstreams(now))
    writeFileSync(
      join(home, 'nginx.conf'),
      `daemon off; worker_processes 2; pid ${home}/pid;\nevents { worker_connections 2000; }\nhttp {\naccess_log off; ${temporary}\n${site}\n}\n`,
    )
  }
  write(order)
  const child = Bun.spawn(['/usr/sbin/nginx', '-p', home, '-c', join(home, 'nginx.conf'), '-e', join(home, 'error.log')], {
    stderr: 'inherit',
  })
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(url).catch(() => null)) !== null)
  return {
    url,
    async switchTo(next) {
      const before = workersOf(child.pid)
      write(next)
      process.kill(child.pid, 'SIGHUP')
      await until(async () => workersOf(child.pid).every((worker) => !before.includes(worker)))
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

export async function until(isSo: () => Promise<boolean>, { ms = 30_000 } = {}): Promise<void> {
  const end = Date.now() + ms
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('waited too long')
    await Bun.sleep(50)
  }
}

function upstreams({ first, second }: Order): string {
  const server = (port: number, more = ''): string => `server 127.0.0.1:${port} max_fails=0${more};`
  return `upstream files { ${server(first)} ${server(second, ' backup')} }\nupstream other { ${server(second)} }\n`
}

function workersOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((one) => one !== '')
}

/** The first configuration of nginx on a page. */
function exampleOf(page: string): string {
  const text = readFileSync(join(import.meta.dir, '../..', page), 'utf8')
  const found = /```nginx\n([^]*?)```/.exec(text)?.[1]
  if (found === undefined) throw new Error(`${page} has no example for nginx`)
  return found
}
