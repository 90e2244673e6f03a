import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROWS_MEDIA_TYPE } from '../src/shared/contract/resources.ts'
import { sized } from './figures.ts'
import {
  type Cost,
  costOf,
  cpuOf,
  curlHeaders,
  fillFolder,
  freePort,
  holds,
  makeFile,
  median,
  report,
  type Run,
  runBench,
  startServer,
  wallOf,
} from './harness.ts'

/**
 * WebDAV beside what it is compared with, in turn: a folder of 100,000 beside our compact listing, a file of 2 GB beside our own upload, and small files
 * by curl and by rclone beside `rclone serve webdav` and Apache's mod_dav, which keep no versions, no journal and no durable files. Debian's rclone 1.60
 * sends at most 100 requests a second to any server, so it tells little; curl does not wait. Needs Debian's `rclone`, `curl` and `apache2-bin`.
 */
const ROUNDS = 3
const ENTRIES = sized(100_000, 10_000)
const BYTES = sized(2_000_000_000, 100_000_000)
const FILES = sized(5000, 300)
const FILES_BY_RCLONE = sized(500, 100)
/** Requests at a time, as many as rclone's transfers. */
const AT_A_TIME = 8
const FILE_BYTES = 4096
const MOST_PROPFIND_RATIO = 2
const MOST_PUT_CPU_RATIO = 1.1
const FIND =
  '<D:propfind xmlns:D="DAV:"><D:prop><D:displayname/><D:getlastmodified/><D:getcontentlength/><D:resourcetype/><D:getetag/></D:prop></D:propfind>'
const MODULES = '/usr/lib/apache2/modules'

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  const { url, pid, root } = server
  const basic = { authorization: `Basic ${Buffer.from(`admin:${server.password}`).toString('base64')}` }
  fillFolder(join(root, 'many'), ENTRIES)
  const big = join(run.folder, 'big.bin')
  await makeFile(big, BYTES)
  const [small, few] = [makeSmall(join(run.folder, 'small'), FILES), makeSmall(join(run.folder, 'few'), FILES_BY_RCLONE)]
  const others = [await rcloneServer(run), await apache(run)]

  const costs = new Map<string, Cost[]>()
  const measure = async (name: string, of: number, work: () => Promise<unknown>, { counts }: { counts: boolean }): Promise<void> => {
    const cost = await costOf(of, work)
    if (counts) costs.set(name, [...(costs.get(name) ?? []), cost])
  }
  for (let round = 0; round <= rounds; round++) {
    // The first round starts threads and fills caches.
    const how = { counts: round > 0 }
    const rows = curlHeaders({ ...server.headers, accept: ROWS_MEDIA_TYPE })
    await measure('listing', pid, () => Bun.$`curl -sf -o /dev/null ${rows} ${url}/api/resources/many/`.quiet(), how)
    const find = [...curlHeaders({ ...basic, depth: '1' }), '-X', 'PROPFIND', '--data', FIND]
    await measure('PROPFIND', pid, () => Bun.$`curl -sf -o /dev/null ${find} ${url}/dav/many/`.quiet(), how)
    await measure(
      'POST',
      pid,
      () => Bun.$`curl -sf ${curlHeaders(server.headers)} -X POST -T ${big} ${url}/api/resources/post-${round}.bin`.quiet(),
      how,
    )
    await measure('PUT', pid, () => Bun.$`curl -sf ${curlHeaders(basic)} -T ${big} ${url}/dav/put-${round}.bin`.quiet(), how)
    for (const name of [`post-${round}.bin`, `put-${round}.bin`]) rmSync(join(root, name))
    const password = (await Bun.$`rclone obscure ${server.password}`.quiet().text()).trim()
    const satchel = { name: 'ours', url: `${url}/dav/`, pid, user: 'admin', password, headers: curlHeaders(basic) }
    for (const { name, pid: of, ...to } of [satchel, ...others]) {
      await measure(`${name}, rclone`, of, () => copy(few, `few-${round}`, to), how)
      const folder = `${to.url}small-${round}/`
      await Bun.$`curl -sf ${to.headers} -X MKCOL ${folder}`.quiet()
      await measure(`${name}, curl`, of, () => put(small, FILES, { ...to, url: folder }), how)
    }
  }
  for (const [name, all] of costs)
    console.log(`${name.padEnd(14)} ${median(wallOf(all)).toFixed(2)} s, ${median(cpuOf(all)).toFixed(2)} s of CPU`)
  const cpu = (name: string): number => median(cpuOf(costs.get(name) ?? []))
  const wall = (name: string): number => median(wallOf(costs.get(name) ?? []))
  for (const { name } of others) {
    report(`${FILES_BY_RCLONE} small files by rclone, time × ${name}`, wall('ours, rclone') / wall(`${name}, rclone`))
    report(`${FILES} small files by curl, time × ${name}`, wall('ours, curl') / wall(`${name}, curl`))
  }
  const seen = (ours: string, reference: string) => ({
    ours: `${cpu(ours).toFixed(2)} s`,
    reference: `${reference} ${cpu(reference).toFixed(2)} s`,
  })
  return [
    holds('PROPFIND × compact listing, time', wall('PROPFIND') / wall('listing'), { atMost: MOST_PROPFIND_RATIO }),
    holds(
      'PROPFIND × compact listing, CPU',
      cpu('PROPFIND') / cpu('listing'),
      { atMost: MOST_PROPFIND_RATIO },
      seen('PROPFIND', 'listing'),
    ),
    holds('PUT × POST, CPU', cpu('PUT') / cpu('POST'), { atMost: MOST_PUT_CPU_RATIO }, seen('PUT', 'POST')),
  ].every(Boolean)
})

interface Other {
  readonly name: string
  readonly url: string
  readonly pid: number
  readonly headers: readonly string[]
}

function makeSmall(folder: string, files: number): string {
  mkdirSync(folder)
  for (let i = 0; i < files; i++) writeFileSync(join(folder, `file-${i}.bin`), crypto.getRandomValues(new Uint8Array(FILE_BYTES)))
  return folder
}

async function put(from: string, files: number, { url, headers }: { url: string; headers: readonly string[] }): Promise<void> {
  const glob = `${from}/file-[0-${files - 1}].bin`
  await Bun.$`curl -sf --parallel --parallel-max ${AT_A_TIME} ${headers} -T ${glob} ${url}`.quiet()
}

async function copy(from: string, to: string, { url, user, password }: { url: string; user?: string; password?: string }): Promise<void> {
  const who = user === undefined ? [] : ['--webdav-user', user, '--webdav-pass', password ?? '']
  await Bun.$`rclone --config /dev/null copy ${from} :webdav:${to} --webdav-url ${url} --webdav-vendor other ${who} --transfers ${AT_A_TIME} --checkers ${AT_A_TIME}`.quiet()
}

async function rcloneServer({ folder, spawn }: Run): Promise<Other> {
  const root = join(folder, 'rclone')
  mkdirSync(root)
  const port = freePort()
  const { pid } = spawn(['rclone', '--config', '/dev/null', 'serve', 'webdav', root, '--addr', `127.0.0.1:${port}`])
  return answering({ name: 'rclone serve', url: `http://127.0.0.1:${port}/`, pid, headers: [] })
}

async function apache({ folder, spawn }: Run): Promise<Other> {
  const home = join(folder, 'apache')
  mkdirSync(join(home, 'root'), { recursive: true })
  await Bun.$`chmod -R 777 ${home} && chmod 711 ${folder}`.quiet()
  const port = freePort()
  const modules = ['mpm_event', 'authz_core', 'dav', 'dav_fs']
  const lines = [
    `ServerRoot ${home}`,
    `PidFile ${home}/pid`,
    `ErrorLog ${home}/log`,
    `Listen 127.0.0.1:${port}`,
    'ServerName localhost',
    'User nobody',
    'Group nogroup',
    ...modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    `DavLockDB ${home}/locks`,
    `DocumentRoot ${home}/root`,
    `<Directory ${home}/root>`,
    'Dav On',
    'Require all granted',
    '</Directory>',
  ]
  writeFileSync(join(home, 'conf'), `${lines.join('\n')}\n`)
  // One process without others to serve, so that its processor time is all there is.
  const { pid } = spawn(['apache2', '-X', '-f', join(home, 'conf')])
  return answering({ name: 'Apache', url: `http://127.0.0.1:${port}/`, pid, headers: [] })
}

async function answering(other: Other): Promise<Other> {
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(other.url).then(
        () => true,
        () => false,
      )
    )
      return other
    await Bun.sleep(50)
  }
  throw new Error(`${other.name} does not answer`)
}
