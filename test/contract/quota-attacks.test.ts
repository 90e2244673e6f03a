import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { BULK_MEDIA_TYPE, bulkHead } from '../../src/shared/contract/bulk.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { onEachStorage, type Product } from './world.ts'

setDefaultTimeout(30_000)

const BIG = 'x'.repeat(3000)
const LIMIT = 4000

/** Every way in which somebody adds to a folder; each is refused by a quota, and works where there is none. */
const WAYS: Record<string, (product: Product) => Promise<number>> = {
  'an upload': (product) => send(product, 'POST', '/api/resources/new.bin', BIG),
  'an upload in parts': async (product) => {
    const headers = { 'tus-resumable': TUS_VERSION, 'upload-length': String(BIG.length), 'content-type': OFFSET_MEDIA_TYPE }
    return (await product.ask('/api/tus/new.bin', { who: 'eve', method: 'POST', headers, body: BIG })).status
  },
  'many small files in one request': async (product) => {
    const body = bulkHead([{ path: '/new.bin', size: BIG.length, override: false }]) + BIG
    const headers = { 'content-type': BULK_MEDIA_TYPE, 'content-length': String(body.length) }
    const answer = await product.ask('/api/bulk', { who: 'eve', method: 'POST', headers, body })
    return (await answer.text()).includes('quota-exceeded') ? 507 : answer.status
  },
  'a longer file in place of a short one': (product) => send(product, 'PUT', '/api/resources/short.txt', BIG),
  'a copy': (product) => send(product, 'PATCH', '/api/resources/big.txt?action=copy&destination=/copy.txt'),
  'a file that a visitor sends through a link': async (product) => {
    const { hash } = await product.as('eve').shares.create({ params: { path: at('/box') }, query: {}, body: '{"rights":"drop"}' })
    const headers = { 'tus-resumable': TUS_VERSION, 'upload-length': String(BIG.length), 'content-type': OFFSET_MEDIA_TYPE }
    return (await product.ask(`/api/public/tus/${hash}/${crypto.randomUUID()}/new.bin`, { method: 'POST', headers, body: BIG })).status
  },
}

onEachStorage((product) => {
  describe('nobody goes beyond a quota; without it they do', () => {
    for (const [way, attack] of Object.entries(WAYS))
      it(`by ${way}`, async () => {
        await product().seed({
          '/eve/big.txt': BIG,
          '/eve/short.txt': 'x',
          '/eve/box/a.txt': 'a',
        })
        const { id } = await product().add('eve', { scope: '/eve' })
        const root = product().as('root')
        const who = { kind: 'user', id } as const
        await root.quotas.set({ body: { who, bytes: LIMIT, files: null } })
        const before = await product().snapshot()
        expect(await attack(product())).toBe(507)
        expect(await product().snapshot()).toEqual(before)
        await root.quotas.set({ body: { who, bytes: null, files: null } })
        product().pass(1001)
        expect([200, 201, 204]).toContain(await attack(product()))
      })
  })
})

async function send(product: Product, method: string, address: string, body?: string): Promise<number> {
  return (await product.ask(address, { who: 'eve', method, ...(body !== undefined && { body }) })).status
}
