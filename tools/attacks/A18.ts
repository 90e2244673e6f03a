import type { Attack } from './attack.ts'

const PEOPLE = 10
const FLOOD = 400
const PASSWORD = 'a password of everybody here'

export const attack: Attack = {
  row: 'A18',
  title: 'keep people from signing in by wrong sign-ins from many IPv6 networks',
  server: { args: ['--trustedProxies', '127.0.0.1'] },
  async run(server) {
    for (let i = 0; i < PEOPLE; i++) await server.user(`person${i}`, { password: PASSWORD })
    const restarted = await server.restart()
    const signIn = async (address: string, who: number, password: string): Promise<number> => {
      const headers = { 'x-forwarded-for': address }
      const body = JSON.stringify({ username: `person${who}`, password })
      return (await restarted.visit('/api/login', { method: 'POST', headers, body })).status
    }
    const statuses = new Map<number, number>()
    let sent = 0
    const flood = async (times: number): Promise<void> => {
      const wrong = Array.from({ length: times }, () => {
        const n = sent++
        return signIn(`2001:${n % 4}:${(n % 60).toString(16)}:${n.toString(16)}::1`, n % PEOPLE, `wrong ${n}`)
      })
      for (const status of await Promise.all(wrong)) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    await flood(FLOOD)
    let kept = 0
    for (let i = 0; i < PEOPLE; i++) {
      await flood(20)
      const status = await signIn(i % 2 === 0 ? `203.0.${i}.9` : `2a02:${i}:1:1::9`, i, PASSWORD)
      if (status !== 200) kept += 1
    }
    server.note(`wrong sign-ins by status: ${[...statuses].map(([status, count]) => `${status} × ${count}`).join(', ')}`)
    server.note(`of ${PEOPLE} right ones from new addresses ${kept} were kept out`)
    return kept === 0 ? 'refused' : 'succeeded'
  },
}
