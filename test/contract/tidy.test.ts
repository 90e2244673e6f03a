import { expect, it } from 'bun:test'
import { sql } from 'kysely'
import { HOUR_MS, startProduct } from './world.ts'

it('B5: cleanup continues if one part fails, and logs that part', async () => {
  await using product = await startProduct()
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '4' }
  expect((await product.ask('/api/tus/a.txt', { method: 'POST', who: 'ann', headers })).status).toBe(201)
  const uploads = async () => (await product.db.selectFrom('uploads').selectAll().execute()).length
  expect(await uploads()).toBe(1)
  await sql`drop table share_visits`.execute(product.db)
  product.pass(25 * HOUR_MS)
  await product.world.tidy()
  expect(await uploads()).toBe(0)
  expect(product.logged.filter((line) => line.startsWith('sweeping '))).toEqual([expect.stringContaining('sweeping visits failed')])
})
