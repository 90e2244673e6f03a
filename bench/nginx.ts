import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type Run } from './harness.ts'

/** nginx over a folder, one process, with sendfile and without a log. It asks nobody who they are. */
export async function startNginx({ folder, spawn }: Run, root: string): Promise<{ url: string; pid: number }> {
  const port = freePort()
  const config = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`).join(' ')
  writeFileSync(
    config,
    `user root; daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; events { worker_connections 64; }
    http { sendfile on; tcp_nopush on; access_log off; ${temporary} server { listen 127.0.0.1:${port}; root ${root}; } }`,
  )
  const { pid } = spawn(['nginx', '-p', folder, '-c', config])
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(url).catch(() => null)) return { url, pid }
    await Bun.sleep(20)
  }
  throw new Error('nginx did not start')
}
