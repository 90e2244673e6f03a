import { readFileSync } from 'node:fs'
import { type Product, startProduct } from './world.ts'

/**
 * Run by `descriptors.test.ts` under strace: each operation twice, so that what starts once is not counted. Before and after the second time a
 * file is opened that does not exist, whose name marks the place in the trace.
 */
const product = await startProduct({ storage: 'local' })
await product.add('bea', { scope: '/people/bea' })
await product.seed({
  'people/bea/docs/a.txt': 'a',
  'people/bea/docs/b.txt': 'b',
  'people/bea/docs/inner/': '',
  'people/bea/docs/small.bin': 'x'.repeat(4096),
})
await product.signIn('bea')

const operations: Record<string, (round: number) => Promise<void>> = {
  'opening a folder': () => expectStatus(200, '/api/resources/docs/'),
  'a small upload': (round) => expectStatus(200, `/api/resources/docs/new-${round}.txt`, { method: 'POST', body: 'hello' }),
  'the last tus request': async (round) => {
    const address = `/api/tus/docs/tus-${round}.txt`
    await expectStatus(201, address, { method: 'POST', headers: { 'upload-length': '5', 'tus-resumable': '1.0.0' } })
    const headers = { 'upload-offset': '0', 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' }
    mark('begin the last tus request')
    await expectStatus(204, address, { method: 'PATCH', headers, body: 'hello' })
  },
  'a rename': (round) =>
    expectStatus(200, `/api/resources/docs/${round === 0 ? 'a' : 'b'}.txt?action=rename&destination=/docs/renamed-${round}.txt`, {
      method: 'PATCH',
    }),
  'a download': () => expectStatus(200, '/api/raw/docs/small.bin'),
}

for (const [name, run] of Object.entries(operations)) {
  await run(0)
  // What the server does after an answer is done by then.
  await Bun.sleep(100)
  mark(`begin ${name}`)
  await run(1)
  await Bun.sleep(100)
  mark(`end ${name}`)
}
await product[Symbol.asyncDispose]()
process.exit()

async function expectStatus(status: number, address: string, init: Parameters<Product['ask']>[1] = {}): Promise<void> {
  const response = await product.ask(address, { who: 'bea', ...init })
  const text = await response.text()
  if (response.status !== status) throw new Error(`${address}: ${response.status} ${text}`)
}

function mark(what: string): void {
  try {
    readFileSync(`/no-such-folder/${what}`)
  } catch {
    // It stands in the trace now.
  }
}
