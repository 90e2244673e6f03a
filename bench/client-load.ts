import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quantile, type Run, type Server, startServer } from './harness.ts'

/** Clients that use the right passwords of a few links, and people who sign in meanwhile (A5). */
const LINKS = 12
const CLIENTS = 96
const REQUESTS = 960

export interface ClientLoad {
  /** Milliseconds of each sign-in. */
  readonly signIns: readonly number[]
  readonly refused: number
  /** Answers that the clients got, by status. */
  readonly visits: ReadonlyMap<string, number>
}

/** The real server; every sign-in is of another account, from another address, and is hashed. */
export async function signInUnderLoad(run: Run, people: number): Promise<ClientLoad> {
  const server = await startServer(run, ['--trustedProxies', '127.0.0.1'])
  const links: string[] = []
  for (let i = 0; i < LINKS; i++) links.push(await shareFile(server, i))
  for (let i = 0; i < people; i++) await addPerson(server, i)
  const file = join(run.folder, 'crowd')
  writeFileSync(file, Array.from({ length: REQUESTS }, (_, i) => visit(server, { hash: links[i % LINKS] ?? '', i })).join('next\n'))

  const over = new AbortController()
  const visits = new Map<string, number>()
  const crowd = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const told = await Bun.$`curl -s --parallel --parallel-immediate --parallel-max ${CLIENTS} -K ${file}`.nothrow().text()
      for (const status of told.trim().split('\n')) visits.set(status, (visits.get(status) ?? 0) + 1)
    }
  }
  const crowding = crowd()
  const signIns: number[] = []
  let refused = 0
  for (let i = 0; i < people; i++) {
    const { status, ms } = await signIn(server, i)
    signIns.push(ms)
    if (status !== '200') refused += 1
    await Bun.sleep(20)
  }
  over.abort()
  await crowding
  await server.stop()
  return { signIns, refused, visits }
}

export function describeLoad({ signIns, visits }: ClientLoad): string {
  const answers = [...visits].map(([status, count]) => `${status} × ${count}`).join(', ')
  return `sign-ins beside ${CLIENTS} clients of ${LINKS} links: median ${quantile(signIns, 0.5).toFixed(0)} ms, worst ${Math.max(...signIns).toFixed(0)} ms; the clients: ${answers}`
}

async function shareFile({ root, url, headers }: Server, i: number): Promise<string> {
  writeFileSync(join(root, `file-${i}`), 'x')
  const answer = await fetch(`${url}/api/share/file-${i}`, { method: 'POST', headers, body: JSON.stringify({ password: passwordOf(i) }) })
  if (!answer.ok) throw new Error(`the server does not let us share: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { hash: string }).hash
}

async function addPerson({ url, headers }: Server, i: number): Promise<void> {
  const data = { username: `person${i}`, password: 'a password for everybody', scope: '/', perm: { download: true } }
  const answer = await fetch(`${url}/api/users`, { method: 'POST', headers, body: JSON.stringify({ what: 'user', which: [], data }) })
  if (!answer.ok) throw new Error(`the server does not let us add people: ${answer.status} ${await answer.text()}`)
}

/** From a process of its own: this one is busy with the crowd. */
async function signIn({ url }: Server, i: number): Promise<{ status: string; ms: number }> {
  const body = JSON.stringify({ username: `person${i}`, password: 'a password for everybody' })
  const from = `X-Forwarded-For: 203.0.${i}.7`
  const told = await Bun.$`curl -s -o /dev/null -w ${'%{http_code} %{time_total}'} -H ${from} -d ${body} ${`${url}/api/login`}`.text()
  const [status = '', seconds = ''] = told.split(' ')
  return { status, ms: Number(seconds) * 1000 }
}

/** One visit, as curl reads it from a file. */
function visit({ url }: Server, { hash, i }: { hash: string; i: number }): string {
  const address = `198.51.${i >> 8}.${i & 255}`
  const password = encodeURIComponent(passwordOf(i % LINKS))
  const lines = [`url="${url}/api/public/share/${hash}"`, `header="x-share-password: ${password}"`, `header="x-forwarded-for: ${address}"`]
  return [...lines, 'output="/dev/null"', 'write-out="%{http_code}\\n"', ''].join('\n')
}

function passwordOf(i: number): string {
  return `password of link ${i}`
}
