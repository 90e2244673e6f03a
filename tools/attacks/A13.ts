import { randomBytes } from 'node:crypto'
import type { Attack } from './attack.ts'

const TIMES = 100

export const attack: Attack = {
  row: 'A13',
  title: 'download a link that may be downloaded once as often as one likes, with a ticket that one made up',
  async run(server) {
    server.write('once.bin', 'x'.repeat(10_000))
    const made = await server.admin.ask('/api/share/once.bin', { method: 'POST', body: JSON.stringify({ maxDownloads: 1 }) })
    const { hash } = (await made.json()) as { hash: string }
    const ticket = randomBytes(32).toString('base64url')
    const answers = await Promise.all(
      Array.from({ length: TIMES }, async () => {
        const answer = await server.visit(`/api/public/dl/${hash}?token=${ticket}`)
        await answer.arrayBuffer()
        return answer.status
      }),
    )
    const got = answers.filter((status) => status === 200).length
    server.note(`${TIMES} downloads at once with the same made-up ticket: ${got} got the file`)
    return got <= 1 ? 'refused' : 'succeeded'
  },
}
