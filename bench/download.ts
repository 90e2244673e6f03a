import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuTicks, end, median, rootFolder, startSubject } from './subject.ts'

/**
 * A file of 2 GB over loopback, our server against nginx with sendfile: seven pairs in turn, medians of throughput and of the servers' own CPU.
 * `bun bench/download.ts`, or with `--url --token --pid --root` for a server that runs already over the folder `root`.
 */
const PAIRS = 7
const BYTES = 2e9

const temporary = mkdtempSync(join(tmpdir(), 'bench-'))
const root = rootFolder()
const file = join(root, 'bench-download.bin')
await Bun.$`head -c ${BYTES} /dev/urandom > ${file}`

{
  await using subject = await startSubject(root)
  const nginx = await startNginx()
  const ours: Run[] = []
  const theirs: Run[] = []
  try {
    for (let pair = 0; pair <= PAIRS; pair++) {
      const one = await run(`${subject.url}/api/raw/bench-download.bin`, { pid: subject.pid, headers: subject.headers })
      const other = await run(`${nginx.url}/bench-download.bin`, { pid: nginx.child.pid, headers: {} })
      // The first pair fills the page cache.
      if (pair === 0) continue
      ours.push(one)
      theirs.push(other)
    }
  } finally {
    await end(nginx.child)
  }
  report('MB/s', ours, theirs, ({ seconds }) => BYTES / 1e6 / seconds)
  report('CPU ticks', ours, theirs, ({ ticks }) => ticks)
}
rmSync(file)
rmSync(temporary, { recursive: true })

interface Run {
  seconds: number
  ticks: number
}

async function run(url: string, { pid, headers }: { pid: number; headers: Record<string, string> }): Promise<Run> {
  const before = cpuTicks(pid)
  const options = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const written = await Bun.$`curl -sf -o /dev/null -w ${'%{time_total} %{size_download}'} ${options} ${url}`.text()
  const [seconds = 0, size = 0] = written.split(' ').map(Number)
  if (size !== BYTES) throw new Error(`${url} sent ${size} bytes`)
  return { seconds, ticks: cpuTicks(pid) - before }
}

function report(unit: string, ours: readonly Run[], theirs: readonly Run[], value: (run: Run) => number): void {
  const [a, b] = [median(ours.map(value)), median(theirs.map(value))]
  console.log(`${unit}: ours ${a.toFixed(0)}, nginx ${b.toFixed(0)}, ratio ${(a / b).toFixed(2)}`)
  console.log(
    `  ours  ${ours.map((one) => value(one).toFixed(0)).join(' ')}\n  nginx ${theirs.map((one) => value(one).toFixed(0)).join(' ')}`,
  )
}

async function startNginx(): Promise<{ url: string; child: Bun.Subprocess }> {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  const { port } = probe
  probe.stop()
  const config = join(temporary, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${temporary}/nginx.pid; error_log ${temporary}/error.log;
events { worker_connections 64; }
http { sendfile on; tcp_nopush on; access_log off; client_body_temp_path ${temporary}; proxy_temp_path ${temporary};
fastcgi_temp_path ${temporary}; uwsgi_temp_path ${temporary}; scgi_temp_path ${temporary};
server { listen 127.0.0.1:${port}; root ${root}; } }`,
  )
  const child = Bun.spawn(['nginx', '-p', temporary, '-c', config], { stdout: 'ignore', stderr: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(url).catch(() => null)
    if (answer !== null) break
    await Bun.sleep(20)
  }
  return { url, child }
}
