import { expect, it, setDefaultTimeout } from 'bun:test'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { createBubblewrap } from '../../src/server/sandbox/bubblewrap.ts'
import { docx } from './office-samples.ts'
import { png } from './pictures.ts'
import { until } from './until.ts'
import { type Product, startProduct } from './world.ts'

// Programs start in each of them, on a machine that may have other things to do.
setDefaultTimeout(120_000)

/** `download-refused`, as File Browser answers it. */
const REFUSED = 202

const preview = (product: Product, size: string, path: string, headers: Record<string, string> = {}) =>
  product.ask(`/api/preview/${size}${path}`, { who: 'dan', headers })

/** Somebody who may read one folder only. */
async function withDan(product: Product): Promise<void> {
  await product.add('dan', { may: NO_RIGHTS })
  const who = { kind: 'user' as const, id: (await product.account('dan')).id }
  await product.as('root').grants.set({ body: { who, path: '/open', rights: ['download'] } })
}

it('read-again-1: a preview that was made for somebody else is refused where its viewer may not download', async () => {
  await using product = await startProduct({ storage: 'local' })
  await product.seed({ '/a.png': await png(300, 200), '/a.docx': docx('Dear Ann'), '/open/b.png': await png(300, 200) })
  await withDan(product)
  await product.link('/open/soft.png', '../a.png')
  const made = await product.ask('/api/preview/thumb/a.png', { who: 'ann' })
  expect([made.status, (await product.ask('/api/preview/pdf/a.docx', { who: 'ann' })).status]).toEqual([200, 200])
  const etag = made.headers.get('etag') ?? ''
  expect((await preview(product, 'thumb', '/open/b.png')).status).toBe(200)
  for (const [size, path] of [
    ['thumb', '/a.png'],
    ['thumb', '/open/soft.png'],
    ['pdf', '/a.docx'],
  ] as const)
    expect([path, (await preview(product, size, path)).status]).toEqual([path, REFUSED])
  expect((await preview(product, 'thumb', '/a.png', { 'if-none-match': etag })).status).toBe(REFUSED)
})

it('read-again-2: a document that becomes a PDF is not sent to somebody who lost the right meanwhile', async () => {
  const sandbox = createBubblewrap()
  const begun = Promise.withResolvers<void>()
  const lost = Promise.withResolvers<void>()
  const waiting: typeof sandbox.run = async (argv, options) => {
    begun.resolve()
    await lost.promise
    return sandbox.run(argv, options)
  }
  await using product = await startProduct({ storage: 'local', sandbox: { ...sandbox, run: waiting } })
  await product.seed({ '/open/a.docx': docx('Dear Dan') })
  await withDan(product)
  const answer = preview(product, 'pdf', '/open/a.docx')
  await begun.promise
  const who = { kind: 'user' as const, id: (await product.account('dan')).id }
  await product.as('root').grants.set({ body: { who, path: '/open', rights: [] } })
  await until(async () => (await product.ask('/api/raw/open/a.docx', { who: 'dan' })).status !== 200)
  lost.resolve()
  expect((await answer).status).toBe(REFUSED)
})
