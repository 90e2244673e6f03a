import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUNTIME_COMMAND } from '../src/server/entries/runtime.ts'
import { ROWS_MEDIA_TYPE } from '../src/shared/contract/resources.ts'
import { sized } from './figures.ts'
import { costOf, holds, median, report, type Run, runBench, type Server, startServer, urlTold } from './harness.ts'
import { startNginx } from './nginx.ts'

/**
 * Requests for small things by somebody signed in, as the page sends them, over connections that stay open, against nginx with the same files, in
 * turn: requests a second, and the server's own processor time for 10,000 of them. nginx asks nobody who they are and judges no rules. The bare
 * servers are the least that our runtime does. Needs Debian's `wrk` and `nginx`.
 */
const ROUNDS = 5
const FILES = 1000
const FILE_BYTES = 4096
const ENTRIES = 10
const CONNECTIONS = 16
const SECONDS = sized(4, 1)
const LEAST_SPEED_RATIO = 0.5
/** Requests with an API token cost no more than those of a sign-in: processor time, because they are not sent at the same moment. */
const LEAST_TOKEN_RATIO = 0.95

const [BY_SESSION, BY_TOKEN] = ['a folder of 10 as rows', 'the same by an API token']

interface Target {
  readonly name: string
  readonly pid: number
  /** Asked for in turn. */
  readonly urls: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly status?: number
}

interface Pace {
  readonly perSecond: number
  /** Seconds of the server's processor time for 10,000 requests. */
  readonly cpu: number
}

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  const names = Array.from({ length: FILES }, (_, i) => `picture-${i}.jpg`)
  mkdirSync(join(server.root, 'album/small'), { recursive: true })
  for (const name of names) writeFileSync(join(server.root, 'album', name), crypto.getRandomValues(new Uint8Array(FILE_BYTES)))
  for (let i = 0; i < ENTRIES; i++) writeFileSync(join(server.root, 'album/small', `entry-${i}.txt`), `${i}`)

  const targets = await targetsOf(run, server, names)
  const paces = new Map<Target, Pace[]>(targets.map((target) => [target, []]))
  for (let round = 0; round <= rounds; round++)
    for (const [target, seen] of paces) {
      const pace = await paceOf(run, target)
      // The first round fills caches and lets the runtime compile.
      if (round > 0) seen.push(pace)
    }
  const medians = new Map([...paces].map(([{ name }, seen]) => [name, medianOf(seen)]))
  for (const [name, { perSecond, cpu }] of medians)
    console.log(`${name.padEnd(32)} ${perSecond.toFixed(0).padStart(6)} a second, ${cpu.toFixed(2)} s of CPU for 10,000`)
  return judged(medians)
})

async function targetsOf(run: Run, server: Server, names: readonly string[]): Promise<Target[]> {
  const folder = join(server.root, 'album')
  const bare = run.spawn([...RUNTIME_COMMAND, join(import.meta.dir, 'bare-files.ts'), folder])
  const bareUrl = await urlTold(bare.stdout)
  const nginx = await startNginx(run, folder)
  const session = await webSession(server)
  const picture = { cookie: session.cookie, 'sec-fetch-site': 'same-origin', accept: 'image/avif,image/webp,*/*;q=0.8' }
  const call = { ...picture, 'x-auth': session.token, accept: ROWS_MEDIA_TYPE }
  const etag = (await fetch(rawUrl(server, names[0] ?? ''), { headers: picture })).headers.get('etag') ?? ''
  const all = names.map((name) => rawUrl(server, name))
  const one = (name: string, path: string, more: Partial<Target> = {}): Target => ({
    name,
    pid: server.pid,
    urls: [`${server.url}${path}`],
    headers: call,
    ...more,
  })
  return [
    { name: 'nginx', pid: nginx.pid, urls: names.map((name) => `${nginx.url}/${name}`), headers: picture },
    { name: 'bare, from memory', pid: bare.pid, urls: [`${bareUrl}/memory/`], headers: picture },
    { name: 'bare, opens and reads', pid: bare.pid, urls: names.map((name) => `${bareUrl}/disk/${name}`), headers: picture },
    { name: 'bare, with our headers', pid: bare.pid, urls: names.map((name) => `${bareUrl}/headers/${name}`), headers: picture },
    { name: 'a file of 4 KiB', pid: server.pid, urls: all, headers: picture },
    one('a file that is unchanged', `/api/raw/album/${names[0]}?inline=true`, {
      headers: { ...picture, 'if-none-match': etag },
      status: 304,
    }),
    one(BY_SESSION, '/api/resources/album/small/'),
    one(BY_TOKEN, '/api/resources/album/small/', {
      headers: { accept: ROWS_MEDIA_TYPE, authorization: `Bearer ${await apiToken(server, session)}` },
    }),
    one('a folder of 10 as objects', '/api/resources/album/small/', { headers: { ...call, accept: 'application/json' } }),
    one('about a file', `/api/resources/album/${names[0]}`),
    one('health', '/health'),
  ]
}

function rawUrl({ url }: Server, name: string): string {
  return `${url}/api/raw/album/${name}?inline=true`
}

/** A sign-in as our page does it: with a cookie. */
async function webSession({ url, password }: Server): Promise<{ token: string; cookie: string }> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'x-satchel-web': '1' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  if (!answer.ok) throw new Error(`the server does not let us in: ${answer.status}`)
  return { token: await answer.text(), cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

async function apiToken({ url }: Server, session: { token: string; cookie: string }): Promise<string> {
  const answer = await fetch(`${url}/api/tokens`, {
    method: 'POST',
    headers: { 'x-auth': session.token, cookie: session.cookie },
    body: JSON.stringify({ name: 'bench', perm: { download: true } }),
  })
  if (!answer.ok) throw new Error(`no API token: ${answer.status}`)
  return ((await answer.json()) as { token: string }).token
}

/** Once as it should be, then as fast as it goes. */
async function paceOf(run: Run, target: Target): Promise<Pace> {
  const { urls, headers, status = 200 } = target
  const [first = ''] = urls
  const answer = await fetch(first, { headers })
  await answer.body?.cancel()
  if (answer.status !== status) throw new Error(`${target.name}: ${answer.status} instead of ${status}`)
  const script = join(run.folder, 'requests.lua')
  writeFileSync(script, scriptOf(target))
  let told = ''
  const { cpu } = await costOf(target.pid, async () => {
    told = await Bun.$`wrk -t 1 -c ${CONNECTIONS} -d ${SECONDS} -s ${script} ${first}`.text()
  })
  const [, requests = '', microseconds = '', wrong = ''] = /^requests (\d+) in (\d+), wrong (\d+)$/m.exec(told) ?? []
  if (wrong !== '0') throw new Error(`${target.name}: ${wrong} requests failed\n${told}`)
  return { perSecond: Number(requests) / (Number(microseconds) / 1e6), cpu: (cpu / Number(requests)) * 10_000 }
}

/** What wrk sends: every request is written once, before it starts. */
function scriptOf({ urls, headers }: Target): string {
  const paths = urls.map((url) => `'${url.replace(/^https?:\/\/[^/]+/, '')}'`)
  const fields = Object.entries(headers).map(([name, value]) => `['${name}'] = '${value}'`)
  return `
    local paths, fields, requests, at = { ${paths.join(', ')} }, { ${fields.join(', ')} }, {}, 0
    function init() for i, path in ipairs(paths) do requests[i] = wrk.format('GET', path, fields) end end
    function request() at = at % #requests + 1; return requests[at] end
    function done(summary)
      local errors = summary.errors
      local wrong = errors.connect + errors.read + errors.write + errors.status + errors.timeout
      print(string.format('requests %d in %d, wrong %d', summary.requests, summary.duration, wrong))
    end`
}

function medianOf(seen: readonly Pace[]): Pace {
  return { perSecond: median(seen.map(({ perSecond }) => perSecond)), cpu: median(seen.map(({ cpu }) => cpu)) }
}

function judged(medians: ReadonlyMap<string, Pace>): boolean {
  const of = (name: string): Pace => medians.get(name) ?? { perSecond: Number.NaN, cpu: Number.NaN }
  const words = ({ perSecond, cpu }: Pace): string => `${perSecond.toFixed(0)} a second, CPU ${cpu.toFixed(2)} s`
  const [nginx, file] = [of('nginx'), of('a file of 4 KiB')]
  const holdsAll = holds(
    'a file of 4 KiB: speed × nginx',
    file.perSecond / nginx.perSecond,
    { atLeast: LEAST_SPEED_RATIO },
    {
      ours: words(file),
      reference: `nginx ${words(nginx)}`,
    },
  )
  const bare = of('bare, opens and reads')
  report('the runtime alone, opens and reads: speed × nginx', bare.perSecond / nginx.perSecond, {
    ours: words(bare),
    reference: `nginx ${words(nginx)}`,
  })
  for (const [name, pace] of medians) {
    if (pace === nginx || pace === file || pace === bare) continue
    report(`${name}: speed × nginx with 4 KiB`, pace.perSecond / nginx.perSecond, { ours: words(pace), reference: `nginx ${words(nginx)}` })
  }
  const [session, token] = [of(BY_SESSION), of(BY_TOKEN)]
  const holdsToken = holds(
    'a sign-in: CPU × an API token',
    session.cpu / token.cpu,
    { atLeast: LEAST_TOKEN_RATIO },
    { ours: words(token), reference: `sign-in ${words(session)}` },
  )
  return holdsAll && holdsToken
}
