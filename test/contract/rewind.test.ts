import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { deny, EVERYTHING, onEachStorage, type Product } from './world.ts'
import { refusal, remove } from './trash-calls.ts'
import { until } from './until.ts'

/** By hand more: FILES=5000. */
const FILES = Number(process.env['FILES'] ?? 150)
// Removing them afterwards counts as well.
setDefaultTimeout(Math.max(5000, 20 * FILES))

onEachStorage((product) => {
  const files = Array.from({ length: FILES }, (_, n) => `/shared/${n % 3 === 0 ? 'a' : 'b/deep'}/file-${n}.txt`)

  describe('a rewind', () => {
    it(
      'brings back, byte for byte, what a session has overwritten and renamed',
      async () => {
        await product().seed(Object.fromEntries(files.map((path) => [path, `precious ${path}`])))
        await product().seed({ '/elsewhere/x.txt': 'x' })
        const before = await treeOf(product())
        const moment = await pause(product())
        for (const path of files) {
          await product().ask(`/api/raw${path}`, { who: 'ann' })
          await save(product(), path, `encrypted ${Math.random()}`)
          await move(product(), path, `${path}.locked`)
        }
        await upload(product(), '/shared/READ ME.txt', 'pay')
        await upload(product(), '/elsewhere/y.txt', 'y')
        await remove(product(), 'ann', '/shared/a/file-0.txt.locked')
        await move(product(), '/shared/b', '/shared/c')
        const preview = await product()
          .as('ann')
          .rewind.preview({ query: { path: '/shared', to: moment } })
        expect(preview.counts).toEqual({ remove: 1, restore: 1, move: FILES, content: FILES, problems: 0 })
        expect(preview.changes).toHaveLength(100)
        const { group } = await rewind(product(), '/shared', moment)
        const { '/elsewhere/y.txt': other, ...rest } = await treeOf(product())
        expect(other).toBeDefined()
        expect(rest).toEqual(before)
        expect(
          (
            await product()
              .as('ann')
              .rewind.preview({ query: { path: '/shared', to: moment } })
          ).counts.content,
        ).toBe(0)
        // As one gesture, which can be taken back.
        const { job } = await product().as('ann').operations.undo({ params: { group } })
        await ended(product(), job?.id)
        expect(await product().read('/shared/c/deep/file-1.txt.locked')).toStartWith('encrypted')
        expect(await product().read('/shared/READ ME.txt')).toBe('pay')
        // And so on.
        await rewind(product(), '/', moment)
        expect(await treeOf(product())).toEqual(before)
      },
      60_000 + 100 * FILES,
    )

    it('follows the folder, which may have moved since', async () => {
      await product().seed({ '/in/docs/a.txt': 'a' })
      const moment = await pause(product())
      await save(product(), '/in/docs/a.txt', 'a2')
      await move(product(), '/in/docs', '/in/papers')
      await upload(product(), '/in/papers/new.txt', 'new')
      await move(product(), '/in', '/out')
      await move(product(), '/out/papers/a.txt', '/out/a.txt')
      await rewind(product(), '/out/papers', moment)
      expect(Object.keys(await treeOf(product()))).toEqual(['/out', '/out/papers', '/out/papers/a.txt'])
      expect(await product().read('/out/papers/a.txt')).toBe('a')
    })

    it('of what one person did leaves what others did', async () => {
      await product().add('bob')
      await product().seed({ '/d/a.txt': 'a', '/d/b.txt': 'b', '/d/c.txt': 'c' })
      const moment = await pause(product())
      await save(product(), '/d/a.txt', 'of ann')
      await save(product(), '/d/b.txt', 'of bob', 'bob')
      await save(product(), '/d/c.txt', 'of bob', 'bob')
      await save(product(), '/d/c.txt', 'of ann')
      await move(product(), '/d/a.txt', '/d/a2.txt', 'bob')
      await rewind(product(), '/d', moment, { by: 'bob', who: 'root' })
      expect(await product().read('/d/a.txt')).toBe('of ann')
      expect(await product().read('/d/b.txt')).toBe('b')
      expect(await product().read('/d/c.txt')).toBe('of ann')
      const [job] = await product().as('root').jobs.list({})
      expect(job).toMatchObject({ kind: 'rewind', state: 'failed', items: 2, failed: { count: 1, first: [{ path: '/d/c.txt' }] } })
    })

    it('tells and changes nothing of what rules, scope or rights keep from its viewer', async () => {
      await product().seed({ '/d/a.txt': 'a', '/d/secret/s.txt': 's', '/other/x.txt': 'x' })
      await product().add('bob', { rules: [deny('/d/secret')] })
      await product().add('carl', { scope: '/d/secret' })
      await product().add('eve', { may: { ...EVERYTHING, modify: false, delete: false } })
      const moment = await pause(product())
      await save(product(), '/d/a.txt', 'a2')
      await save(product(), '/d/secret/s.txt', 's2')
      await upload(product(), '/d/new.txt', 'new')
      await move(product(), '/other/x.txt', '/d/x.txt')
      const preview = async (who: string, path: string) =>
        (
          await product()
            .as(who)
            .rewind.preview({ query: { path, to: moment } })
        ).changes
      const paths = async (who: string, path: string) => (await preview(who, path)).map((change) => change.path).toSorted()
      expect(await paths('bob', '/d')).toEqual(['/d/a.txt', '/d/new.txt', '/d/x.txt'])
      expect(await paths('carl', '/')).toEqual(['/s.txt'])
      expect(await refusal(preview('bob', '/d/secret'))).toBe('not-found')
      expect(await refusal(preview('carl', '/d'))).toBe('not-found')
      expect(await refusal(preview('bob', '/d/a.txt'))).toBe('not-found')
      await rewind(product(), '/d', moment, { who: 'eve' })
      expect([await product().read('/d/a.txt'), await product().read('/d/new.txt')]).toEqual(['a2', 'new'])
      await rewind(product(), '/d', moment, { who: 'bob' })
      expect([await product().read('/d/a.txt'), await product().read('/d/secret/s.txt')]).toEqual(['a', 's2'])
      expect(await product().storage.stat(at('/d/new.txt'))).toBe(null)
    })
  })
})

/** Time goes by between what was and what follows. @returns a moment in between */
async function pause(product: Product): Promise<string> {
  await Bun.sleep(5)
  const moment = product.world.clock().toISOString()
  await Bun.sleep(5)
  return moment
}

async function rewind(product: Product, path: string, to: string, { who = 'ann', ...by }: { who?: string; by?: string } = {}) {
  const started = await product.as(who).rewind.apply({ body: { path, to, ...by } })
  await ended(product, started.job.id, who)
  return started
}

async function ended(product: Product, id: string | undefined, who = 'ann'): Promise<void> {
  await until(async () => {
    const job = (await product.as(who).jobs.list({})).find((one) => one.id === id)
    return job?.state === 'done' || job?.state === 'failed'
  })
}

/** With modes and times, without what is kept. */
async function treeOf(product: Product): Promise<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(await product.snapshot()).filter(([path]) => path.startsWith('/') && !path.startsWith('/.satchel')),
  )
}

const save = (product: Product, path: string, body: string, who = 'ann') =>
  product.ask(`/api/resources${path}`, { method: 'PUT', who, body })

const upload = (product: Product, path: string, body: string, who = 'ann') =>
  product.ask(`/api/resources${encodeURI(path)}`, { method: 'POST', who, body })

const move = (product: Product, path: string, destination: string, who = 'ann') =>
  product.ask(`/api/resources${path}?${new URLSearchParams({ action: 'rename', destination }).toString()}`, { method: 'PATCH', who })
