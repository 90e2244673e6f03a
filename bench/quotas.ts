import { BULK_MEDIA_TYPE, bulkHead } from '../src/shared/contract/bulk.ts'
import { startProduct } from '../test/contract/world.ts'

/**
 * What quotas cost: single uploads of 2 KB, copies, bulk requests and renames of one account, with and without a quota, in turns. Prints the median
 * time of each and the ratio. `npx bun bench/quotas.ts [rounds]`
 */
const rounds = Number(process.argv[2] ?? 200)
const BYTES = 'x'.repeat(2048)
const PER_BULK = 50

await using product = await startProduct({ storage: 'local' })
await product.seed({ '/with/': '', '/without/': '' })
for (const name of ['with', 'without']) await product.add(name, { scope: `/${name}` })
const who = { kind: 'user' as const, id: (await product.account('with')).id }
await product.as('root').quotas.set({ body: { who, bytes: 10 ** 12, files: 10 ** 9 } })

const post = (path: string) => (name: string, n: number) =>
  product.ask(`/api/resources${path}${n}`, { method: 'POST', who: name, body: BYTES, headers: { 'content-length': String(BYTES.length) } })
const patch = (query: (n: number) => string, from: (n: number) => string) => (name: string, n: number) =>
  product.ask(`/api/resources${from(n)}?${query(n)}`, { method: 'PATCH', who: name })
const bulk = (name: string, n: number) => {
  const files = Array.from({ length: PER_BULK }, (_, index) => ({ path: `/bulk${n}/${index}`, size: BYTES.length }))
  const body = bulkHead(files) + BYTES.repeat(PER_BULK)
  return product.ask('/api/bulk', {
    method: 'POST',
    who: name,
    body,
    headers: { 'content-type': BULK_MEDIA_TYPE, 'content-length': String(body.length) },
  })
}

const KINDS: Record<string, (name: string, n: number) => Promise<Response>> = {
  upload: post('/f'),
  copy: patch(
    (n) => `action=copy&destination=/c${n}`,
    (n) => `/f${n}`,
  ),
  rename: patch(
    (n) => `action=rename&destination=/r${n}`,
    (n) => `/c${n}`,
  ),
  'bulk of 50': bulk,
}
for (const [kind, run] of Object.entries(KINDS)) {
  const times: Record<string, number[]> = { with: [], without: [] }
  for (let n = 0; n < rounds / (run === bulk ? 10 : 1); n++)
    for (const name of n % 2 === 0 ? ['with', 'without'] : ['without', 'with']) {
      const start = performance.now()
      const response = await run(name, n)
      if (!response.ok) throw new Error(`${kind}: ${response.status}`)
      await response.arrayBuffer()
      times[name]?.push(performance.now() - start)
    }
  const [limited, free] = [median(times['with'] ?? []), median(times['without'] ?? [])]
  console.log(`${kind}: ${limited.toFixed(2)} ms with a quota, ${free.toFixed(2)} ms without, ratio ${(limited / free).toFixed(2)}`)
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}
