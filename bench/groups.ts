import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROWS_MEDIA_TYPE } from '../src/shared/contract/resources.ts'
import { FILE_RIGHTS } from '../src/shared/contract/rights.ts'
import { sized } from './figures.ts'
import {
  type Cost,
  costOf,
  cpuOf,
  fillFolder,
  holds,
  median,
  report,
  type Run,
  runBench,
  type Server,
  startServer,
  wallOf,
} from './harness.ts'

/**
 * CPU of the server for opening a folder where there are 10,000 people and 100,000 memberships and grants, beside a server with one person, in turn. The
 * person who opens it is a member of several groups with many grants elsewhere on both; how much that alone costs is told by a third server, where there are none.
 */
const ROUNDS = 7
const PEOPLE = sized(10_000, 500)
const GROUPS = sized(1_000, 50)
const GRANTS_EACH = 45
const MEMBERSHIPS_EACH = 5
const OPENINGS = sized(300, 30)
const MOST_RATIO = 1.1

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const [alone, many, plain] = [await serverIn(run, 'alone'), await serverIn(run, 'many'), await serverIn(run, 'plain')]
  const all = [alone, many, plain]
  for (const { server } of all) for (const entries of [10, 1000]) fillFolder(join(server.root, `folder${entries}`), entries)
  populate(join(run.folder, 'alone', 'data/satchel.db'), alone.person, { people: 1, groups: MEMBERSHIPS_EACH })
  const rows = populate(join(run.folder, 'many', 'data/satchel.db'), many.person, { people: PEOPLE, groups: GROUPS })
  console.log(`${PEOPLE} people, ${rows} memberships and grants`)
  const people = await Promise.all(all.map(async (one) => ({ server: one.server, headers: await signIn(one), costs: [] as Cost[] })))
  // A change of the tables that another program makes is noticed within a second.
  await Bun.sleep(1500)
  let isHeld = true
  for (const entries of [10, 1000]) {
    for (const person of people) person.costs.length = 0
    for (let round = 0; round <= rounds; round++)
      for (const { server, headers, costs } of people) {
        const cost = await costOf(server.pid, () => openings(`${server.url}/api/resources/folder${entries}`, headers))
        // The first round fills caches and lets the runtime compile.
        if (round > 0) costs.push(cost)
      }
    const [one = NaN, other = NaN, without = NaN] = people.map(({ costs }) => (median(cpuOf(costs)) / OPENINGS) * 1000)
    const [wall = NaN, wallAmongMany = NaN] = people.map(({ costs }) => median(wallOf(costs)))
    console.log(
      `${entries} entries, CPU: ${one.toFixed(2)} ms alone, ${other.toFixed(2)} ms among many, ${without.toFixed(2)} ms without groups`,
    )
    report(`opening a folder of ${entries} among many, wall clock, times as long as alone`, wallAmongMany / wall)
    isHeld = holds(`opening a folder of ${entries} among many, times the CPU of alone`, other / one, { atMost: MOST_RATIO }) && isHeld
    report(`opening a folder of ${entries} with groups and roles, times the CPU of without`, one / without)
  }
  return isHeld
})

interface Installed {
  readonly server: Server
  readonly person: number
}

/** A server, and on it somebody who is no administrator: grants are not about those. */
async function serverIn(run: Run, name: string): Promise<Installed> {
  const folder = join(run.folder, name)
  mkdirSync(folder)
  const server = await startServer({ ...run, folder })
  const perm = Object.fromEntries(['admin', 'execute', ...FILE_RIGHTS].map((right) => [right, right !== 'admin']))
  const data = { username: 'ann', password: server.password, scope: '/', perm }
  const body = JSON.stringify({ what: 'user', which: [], data })
  const answer = await fetch(`${server.url}/api/users`, { method: 'POST', headers: server.headers, body })
  const person = Number(answer.headers.get('location')?.split('/').at(-1))
  if (!(person > 0)) throw new Error(`no account: ${answer.status}`)
  return { server, person }
}

async function signIn({ server }: Installed): Promise<Record<string, string>> {
  const body = JSON.stringify({ username: 'ann', password: server.password })
  const answer = await fetch(`${server.url}/api/login`, { method: 'POST', body })
  return { 'X-Auth': await answer.text(), accept: ROWS_MEDIA_TYPE }
}

/** Straight into the tables: by the calls it would take hours. @returns how many memberships and grants */
function populate(file: string, person: number, { people, groups: groupCount }: { people: number; groups: number }): number {
  using db = new Database(file)
  const record = db.query('select * from users where id = ?').get(person) as Record<string, string | number>
  const columns = Object.keys(record).filter((name) => name !== 'id')
  const addUser = db.query(`insert into users (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) returning id`)
  const addGroup = db.query(
    'insert into "groups" (name, name_key, position, perm, rules, source, created_at) values (?, ?, ?, ?, ?, ?, 0) returning id',
  )
  const addMember = db.query('insert into memberships (group_id, user_id, source) values (?, ?, ?)')
  const addGrant = db.query('insert into grants (id, subject, regex, path, rights) values (?, ?, 0, ?, ?)')
  let rows = 0
  const grant = (subject: string, path: string): void => {
    addGrant.run(Bun.randomUUIDv7(), subject, path, '["download"]')
    rows++
  }
  db.transaction(() => {
    const groups = Array.from({ length: groupCount }, (_, n) => {
      const { id } = addGroup.get(`group ${n}`, `group ${n}`, n, String(record['perm']), '[]', 'ours') as { id: number }
      for (let m = 0; m < GRANTS_EACH; m++) grant(`group ${id}`, `/projects/${n}/part-${m}`)
      return id
    })
    const ids = Array.from({ length: people - 1 }, (_, n) => {
      const named: Record<string, string | number> = { ...record, username: `person ${n}`, username_key: `person ${n}` }
      return (addUser.get(...columns.map((name) => named[name] ?? null)) as { id: number }).id
    })
    for (const [n, id] of [person, ...ids].entries()) {
      for (let m = 0; m < MEMBERSHIPS_EACH; m++, rows++) addMember.run(groups[(n * 7 + m * 131) % groups.length] ?? 0, id, 'ours')
      if (n % 2 === 0) grant(`user ${id}`, `/people/${n}`)
    }
  })()
  return rows
}

/** So many that they last longer than a session is remembered. */
async function openings(url: string, headers: Record<string, string>): Promise<void> {
  for (let n = 0; n < OPENINGS; n++) {
    const answer = await fetch(url, { headers })
    if (!answer.ok) throw new Error(`${answer.status} for ${url}`)
    await answer.arrayBuffer()
  }
}
