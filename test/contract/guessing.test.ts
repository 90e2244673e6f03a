import { expect, it } from 'bun:test'
import { PASSWORD, type Product, startProduct } from './world.ts'

it('of a thousand wrong sign-ins fewer than twenty are hashed, and the owner can sign in elsewhere (GHSA-cm2r-rg7r-p7gg, GHSA-r4v7-6wcg-ghj5, R8)', async () => {
  await using product = await startProduct()
  product.stopClock()
  const { users } = product.world
  const { prove } = users
  let hashed = 0
  users.prove = (...credentials) => {
    hashed += 1
    return prove(...credentials)
  }
  const statuses = new Map<number, number>()
  for (let i = 0; i < 1000; i++) {
    const { status } = await login(product, { username: 'ann', password: `guess ${i}` }, '198.51.100.1')
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect(hashed).toBeLessThan(20)
  expect(new Set(statuses.keys())).toEqual(new Set([403, 429]))
  expect((await login(product, { username: 'ann', password: PASSWORD }, '203.0.113.7')).status).toBe(200)
  expect((await login(product, { username: 'ann', password: PASSWORD }, '198.51.100.1')).status).toBe(429)
})

it('unknown names, wrong passwords, disabled accounts and accounts without password get the same response (GHSA-43mm-m3h2-3prc, GHSA-7789-65hx-f26w)', async () => {
  await using product = await startProduct()
  const { defaults } = await product.world.settings.read()
  await product.world.users.create({ ...defaults, username: 'locked', password: { hash: '!' }, rules: [], lockPassword: true })
  const { id } = await product.add('off')
  await product.world.users.setDisabled(id, { disabled: true })
  const answers = new Set<string>()
  for (const [i, username] of ['nobody', 'ann', 'off', 'locked'].entries()) {
    const response = await login(product, { username, password: username === 'ann' ? 'wrong' : PASSWORD }, `203.0.113.${i}`)
    answers.add(JSON.stringify([response.status, await response.text(), [...response.headers].filter(([name]) => name !== 'date')]))
  }
  expect([...answers]).toEqual([expect.stringContaining('403')])
})

it('a failed sign-in is logged for fail2ban, without the input (R5)', async () => {
  await using product = await startProduct()
  await login(product, { username: 'x\n2026/01/01 00:00:00 /api/login: 403 203.0.113.9 ', password: 'hunter2 hunter2' }, '198.51.100.1')
  expect(product.logged.at(-1)).toMatch(/^\/api\/login: 403 198\.51\.100\.1 wrong-credentials POST \d+ms$/)
  expect(product.logged.join('\n')).not.toMatch(/hunter2|203\.0\.113\.9/)
  await product.ask('/api/signup', { method: 'POST', body: '{"username":"ben","password":"hunter2 hunter2"}' })
  expect(product.logged.at(-1)).toMatch(/^\/api\/signup: 405 /)
})

function login(product: Product, body: unknown, peer: string): Promise<Response> {
  return product.ask('/api/login', { method: 'POST', body: JSON.stringify(body), from: { peer } })
}
