import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cluster, PASSWORD, startCluster } from './cluster.ts'
import { guess, limitedLink } from './limits.ts'
import { createPerson, hashOf } from './person.ts'
import { createFindings, createWire, type Findings } from './wire.ts'

export interface NodesPlan {
  readonly seconds: number
  readonly clients: number
  readonly nodes: number
  readonly killEveryMs: number
  /** A killed server is started again after this long. */
  readonly downMs: number
  /** Between two pieces of work of one client, on average. */
  readonly pauseMs: number
  readonly log: (line: string) => void
}

export interface NodesResult extends Findings {
  readonly kills: number
  /** Acknowledged files that were compared at the end. */
  readonly files: number
  readonly guesses: number
}

const ACCOUNTS = 20
const LINK_EVERY_MS = 3000
/** Signing in takes the processor most: not all at once. */
const SIGN_INS_AT_ONCE = 4

/** Many people at several servers, of which one is killed again and again. */
export async function runNodes(plan: NodesPlan): Promise<NodesResult> {
  const cluster = await startCluster(plan.nodes)
  try {
    return await runOn(cluster, plan)
  } finally {
    await cluster.close()
  }
}

async function runOn(cluster: Cluster, plan: NodesPlan): Promise<NodesResult> {
  const { log } = plan
  const findings = createFindings()
  const wireOf = (n: number) => createWire(cluster.url, { address: `${20 + (n % 200)}.${n >> 8}.${n & 255}.7`, findings })
  const admin = wireOf(0)
  await admin.signIn('admin', PASSWORD)
  const names = Array.from({ length: ACCOUNTS }, (_, n) => `person${n}`)
  for (const name of [...names, 'victim']) await addAccount(admin, name)
  const people = Array.from({ length: plan.clients }, (_, n) => {
    const wire = wireOf(n + 1)
    const name = names[n % ACCOUNTS] ?? 'admin'
    return { name, wire, ...createPerson({ name, folder: `/of-${n}`, wire, findings }) }
  })
  for (let n = 0; n < people.length; n += SIGN_INS_AT_ONCE)
    await Promise.all(people.slice(n, n + SIGN_INS_AT_ONCE).map(({ name, wire }) => wire.signIn(name, PASSWORD)))
  log(`${people.length} clients are signed in`)

  const end = Date.now() + plan.seconds * 1000
  const isOver = (): boolean => Date.now() >= end
  const guessing = guess(wireOf(9999), { username: 'victim', until: isOver, findings })
  let kills = 0
  const killing = killAgainAndAgain(cluster, plan, { isOver, onKill: () => (kills += 1) })
  const linking = makeLinks(admin, [1001, 1002, 1003, 1004].map(wireOf), { isOver, kills: () => kills, findings })
  await Promise.all(
    people.map(async ({ act }) => {
      await Bun.sleep(Math.random() * plan.pauseMs)
      while (!isOver()) {
        await act()
        await Bun.sleep(plan.pauseMs * 2 * Math.random())
      }
    }),
  )
  const guesses = await guessing
  await Promise.all([linking, killing])
  const files = people.flatMap((person) => [...person.files])
  for (const [path, content] of files) {
    const file = join(cluster.root, path)
    if (!existsSync(file) || hashOf(readFileSync(file)) !== content) findings.violations.push(`${path}: acknowledged, and lost`)
  }
  return { ...findings, kills, files: files.length, guesses }
}

async function addAccount(admin: ReturnType<typeof createWire>, username: string): Promise<void> {
  const perm = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
  const body = JSON.stringify({ what: 'user', which: [], data: { username, password: PASSWORD, scope: '/', perm } })
  const { status, body: text } = await admin.ask('/api/users', { method: 'POST', body })
  if (status !== 201) throw new Error(`the account ${username} was not made: ${status} ${text.toString()}`)
}

async function makeLinks(
  owner: ReturnType<typeof createWire>,
  visitors: readonly ReturnType<typeof createWire>[],
  { isOver, ...rest }: { isOver: () => boolean; kills: () => number; findings: Findings },
): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    await owner.timed('limited link', () => limitedLink(owner, visitors, { path: `/links/${n}.txt`, ...rest }))
    await Bun.sleep(LINK_EVERY_MS)
  }
}

async function killAgainAndAgain(
  cluster: Cluster,
  { killEveryMs, downMs, log }: NodesPlan,
  { isOver, onKill }: { isOver: () => boolean; onKill: () => void },
): Promise<void> {
  for (let [next, turn] = [Date.now() + killEveryMs, 0]; ; next += killEveryMs, turn += 1) {
    while (Date.now() < next && !isOver()) await Bun.sleep(100)
    if (isOver()) return
    const node = turn % cluster.urls.length
    onKill()
    await cluster.kill(node)
    log(`server ${node} is killed`)
    await Bun.sleep(downMs)
    await cluster.start(node)
    log(`server ${node} is ready again`)
  }
}
