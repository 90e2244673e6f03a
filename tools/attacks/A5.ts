import type { Attack, TestServer } from './attack.ts'

const LINKS = 12
const CLIENTS = 96
const PEOPLE = 12
const PASSWORD = 'a password of everybody here'

export const attack: Attack = {
  row: 'A5',
  title: 'keep everybody from signing in by using the passwords of a few links all the time',
  server: { args: ['--trustedProxies', '127.0.0.1'] },
  async run(server) {
    server.write('a.txt', 'a')
    const links: string[] = []
    for (let i = 0; i < LINKS; i++) {
      const made = await server.admin.ask('/api/share/a.txt', { method: 'POST', body: JSON.stringify({ password: `of link ${i}` }) })
      links.push(((await made.json()) as { hash: string }).hash)
    }
    for (let i = 0; i < PEOPLE; i++) await server.user(`person${i}`, { password: PASSWORD })
    const restarted = await server.restart()
    const over = new AbortController()
    let visits = 0
    const crowd = Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        while (!over.signal.aborted) {
          const headers = { 'x-share-password': encodeURIComponent(`of link ${client % LINKS}`), 'x-forwarded-for': `198.51.100.${client}` }
          await (await restarted.visit(`/api/public/share/${links[client % LINKS]}`, { headers })).arrayBuffer()
          visits += 1
        }
      }),
    )
    const quiet = await signInAll(restarted, 0, PEOPLE)
    over.abort()
    await crowd
    const refused = quiet.filter(({ status }) => status !== 200).length
    const longest = Math.max(...quiet.map(({ ms }) => ms))
    server.note(
      `${CLIENTS} clients opened ${LINKS} links ${visits} times; of ${PEOPLE} sign-ins ${refused} were refused, the longest took ${longest.toFixed(0)} ms`,
    )
    return refused === 0 ? 'refused' : 'succeeded'
  },
}

async function signInAll(server: TestServer, from: number, to: number): Promise<{ status: number; ms: number }[]> {
  const done = []
  for (let i = from; i < to; i++) {
    const start = performance.now()
    const headers = { 'x-forwarded-for': `203.0.${i}.7` }
    const body = JSON.stringify({ username: `person${i}`, password: PASSWORD })
    const { status } = await server.visit('/api/login', { method: 'POST', headers, body })
    done.push({ status, ms: performance.now() - start })
  }
  return done
}
