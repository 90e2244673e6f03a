import { describe, expect, it } from 'bun:test'
import { onEachStorage, PASSWORD } from './world.ts'

const REFUSED = {
  short: 'too-short 12',
  '1QAZ2wsx3edc': 'too-common',
  ['x'.repeat(1025)]: 'too-long 1024',
}

onEachStorage((product) => {
  const write = (method: string, address: string, body: unknown, who: string) =>
    product().ask(address, { method, body: JSON.stringify(body), who, headers: { accept: 'application/json' } })

  describe('a new password that is too short or common (GHSA-cm2r-rg7r-p7gg)', () => {
    it('is refused with a distinguishable error, whoever sets it', async () => {
      const { id } = await product().account('ann')
      for (const [password, issue] of Object.entries(REFUSED)) {
        const change = { what: 'user', which: ['password'], data: { password } }
        const whole = { what: 'user', which: [], data: { username: 'ben', password, scope: '/' } }
        for (const answer of [
          await write('PUT', `/api/users/${id}`, change, 'ann'),
          await write('PUT', `/api/users/${id}`, change, 'root'),
          await write('PUT', `/api/users/${id}`, { ...whole, which: ['all'] }, 'root'),
          await write('POST', '/api/users', whole, 'root'),
        ])
          expect([answer.status, await answer.json()]).toEqual([
            400,
            { code: 'invalid-input', detail: { issues: [`data.password: ${issue}`] } },
          ])
      }
      expect((await product().world.users.all()).map(({ username }) => username)).toEqual(['root', 'ann'])
      expect(await product().world.users.prove('ann', PASSWORD)).not.toBeNull()
    })

    it('keeps working if it was set before', async () => {
      await product().world.users.setPassword((await product().account('ann')).id, 'short')
      const body = JSON.stringify({ username: 'ann', password: 'short' })
      expect((await product().ask('/api/login', { method: 'POST', body })).status).toBe(200)
    })
  })
})
