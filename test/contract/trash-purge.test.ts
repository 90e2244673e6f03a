import { describe, expect, it, spyOn } from 'bun:test'
import { fail } from '../../src/shared/errors.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import type { Storage } from '../../src/server/storage/storage.ts'
import { EVERYTHING, HOUR_MS, onEachStorage, PASSWORD, startProduct } from './world.ts'
import { age, listed, refusal, remove, restore, set } from './trash-calls.ts'
import { until } from './until.ts'

const DAY_MS = 24 * HOUR_MS

onEachStorage((product) => {
  describe('what is in the trash is removed for good', () => {
    it('after so many days as the settings say', async () => {
      await product().seed({ '/a/1': 'a', '/b': 'b', '/c': 'c' })
      await remove(product(), 'ann', '/a')
      await age(product(), 29 * DAY_MS)
      await product().world.tidy()
      await remove(product(), 'ann', '/b')
      const [b, a] = await listed(product(), 'ann')
      expect(a?.path).toBe('/a')
      await age(product(), DAY_MS + 1)
      await product().world.tidy()
      expect((await listed(product(), 'ann')).map(({ path }) => path)).toEqual(['/b'])
      expect(await product().storage.keptNodes('trash')).toHaveLength(1)
      expect(await refusal(restore(product(), 'ann', a))).toBe('not-found')
      await remove(product(), 'ann', '/c')
      await set(product(), { trashDays: 3 })
      const left = (await listed(product(), 'ann')).map(({ expiresAt, deletedAt }) => Date.parse(expiresAt ?? '') - Date.parse(deletedAt))
      expect(left).toEqual([3 * DAY_MS, 3 * DAY_MS])
      await age(product(), 2 * DAY_MS)
      await product().world.tidy()
      expect((await listed(product(), 'ann')).map(({ path }) => path)).toEqual(['/c'])
      expect(await refusal(restore(product(), 'ann', b))).toBe('not-found')
      expect(await product().storage.keptNodes('trash')).toHaveLength(1)
    })

    it('at once without a trash, with what was in it before', async () => {
      await product().seed({ '/a/1': 'a', '/b': 'b' })
      await remove(product(), 'ann', '/a')
      await set(product(), { trashDays: 0 })
      expect(await remove(product(), 'ann', '/b')).toBe('')
      expect((await listed(product(), 'ann')).map(({ path, expiresAt }) => [path, expiresAt])).toEqual([['/a', null]])
      await age(product(), 1)
      await product().world.tidy()
      expect(await listed(product(), 'ann')).toEqual([])
      expect(await product().storage.keptNodes('trash')).toEqual([])
    })
  })
})

describe('the share of the disk', () => {
  /** A disk of 1000 bytes. */
  const small = (storage: Storage): Storage => ({ ...storage, space: async () => ({ total: 1000, used: 0 }) })

  it('is kept by removing the oldest, but nothing of the last hour', async () => {
    await using product = await startProduct({ around: small })
    const bytes = (count: number) => 'x'.repeat(count)
    await product.seed({ '/a/1': bytes(40), '/b': bytes(40), '/c': bytes(40), '/d': bytes(90) })
    for (const path of ['/a', '/b', '/c', '/d']) await remove(product, 'ann', path)
    await product.world.tidy()
    expect((await listed(product, 'ann')).map(({ path }) => path)).toEqual(['/d', '/c', '/b', '/a'])
    await age(product, HOUR_MS + 1)
    await set(product, { trashShare: 14 })
    await product.world.tidy()
    expect((await listed(product, 'ann')).map(({ path }) => path)).toEqual(['/d', '/c'])
    await set(product, { trashShare: 9 })
    await product.world.tidy()
    expect((await listed(product, 'ann')).map(({ path }) => path)).toEqual(['/d'])
    await set(product, { trashShare: 8 })
    await product.world.tidy()
    expect(await product.storage.keptNodes('trash')).toEqual([])
  })

  it('goes to what people write when the disk is nearly full, the oldest first', async () => {
    let free = 1000
    const filling = (storage: Storage): Storage => ({ ...storage, space: async () => ({ total: 100_000, used: 100_000 - free }) })
    await using product = await startProduct({ around: filling })
    await product.seed({ '/a': 'x'.repeat(400), '/b': 'x'.repeat(400), '/c': 'x'.repeat(400) })
    for (const path of ['/a', '/b']) await remove(product, 'ann', path)
    await age(product, HOUR_MS + 1)
    await remove(product, 'ann', '/c')
    await product.world.tidy()
    expect(await listed(product, 'ann')).toHaveLength(3)
    free = 700
    await product.world.tidy()
    expect((await listed(product, 'ann')).map(({ path }) => path)).toEqual(['/c', '/b'])
    free = 600
    await product.world.tidy()
    expect((await listed(product, 'ann')).map(({ path }) => path)).toEqual(['/c'])
    // Also what was deleted in the last hour.
    await product.world.tidy()
    expect(await listed(product, 'ann')).toEqual([])
  })

  it('is kept soon after each deletion, without waiting for the next sweep', async () => {
    await using product = await startProduct({ around: small })
    await product.seed({ '/a': 'x'.repeat(90), '/b': 'x'.repeat(90) })
    await remove(product, 'ann', '/a')
    await age(product, HOUR_MS + 1)
    await remove(product, 'ann', '/b')
    await until(async () => (await listed(product, 'ann')).length === 1)
    expect((await listed(product, 'ann')).map(({ path }) => path)).toEqual(['/b'])
  })

  it('does not keep anybody from deleting on a full disk: the oldest goes', async () => {
    let full = false
    const filled = (storage: Storage): Storage => ({
      ...storage,
      async keep(where, kept) {
        if (full && (await storage.keptNodes('trash')).length > 0) fail('storage-full', {})
        return storage.keep(where, kept)
      },
    })
    await using product = await startProduct({ around: filled })
    await product.seed({ '/a': 'a', '/b': 'b' })
    await remove(product, 'ann', '/a')
    full = true
    await remove(product, 'ann', '/b')
    expect((await listed(product, 'ann')).map(({ path }) => path)).toEqual(['/b'])
  })
})

describe('on a full disk with an empty trash', () => {
  const full = (storage: Storage): Storage => ({ ...storage, keep: async () => fail('storage-full', {}) })

  it('a deletion of another client is final and makes room', async () => {
    await using product = await startProduct({ around: full })
    await product.seed({ '/a/1': 'a', '/b': 'b' })
    const { hash } = await product.as('ann').shares.create({ params: { path: at('/b') }, body: '' })
    for (const path of ['/a', '/b']) expect(await remove(product, 'ann', path)).toBe('')
    expect([await product.storage.stat(at('/a')), await product.storage.stat(at('/b'))]).toEqual([null, null])
    expect(await listed(product, 'ann')).toEqual([])
    expect((await product.as('ann').shares.mine({})).map((share) => share.hash)).not.toContain(hash)
  })

  it('so is that of a program with an API token', async () => {
    await using product = await startProduct({ around: full })
    await product.seed({ '/a/1': 'a' })
    const input = { name: 'cleaner', perm: EVERYTHING, current_password: PASSWORD }
    const { token } = await product.as('ann').tokens.create({ body: input })
    const headers = { authorization: `Bearer ${token}` }
    expect((await product.ask('/api/resources/a', { method: 'DELETE', headers })).status).toBe(200)
    expect(await product.storage.stat(at('/a'))).toBe(null)
  })

  it('a deletion in the browser is refused, and a permanent one is not', async () => {
    await using product = await startProduct({ around: full })
    await product.seed({ '/a/1': 'a' })
    const { token, cookie } = await product.signInWeb('ann')
    const deletion = (query: string) => product.ask(`/api/resources/a${query}`, { method: 'DELETE', headers: { 'x-auth': token, cookie } })
    expect((await deletion('')).status).toBe(507)
    expect(await product.storage.stat(at('/a/1'))).not.toBe(null)
    expect((await deletion('?permanent=true')).status).toBe(200)
    expect(await product.storage.stat(at('/a'))).toBe(null)
  })

  it('is final for another client also if the journal has no room', async () => {
    await using product = await startProduct()
    await product.seed({ '/a/1': 'a' })
    await product.signIn('ann')
    const refusing = spyOn(product.db, 'insertInto').mockImplementation(() => fail('storage-full', {}))
    try {
      expect(await remove(product, 'ann', '/a')).toBe('')
    } finally {
      refusing.mockRestore()
    }
    expect(await product.storage.stat(at('/a'))).toBe(null)
  })
})

describe('where nothing can be kept', () => {
  const nowhere = (storage: Storage): Storage => ({ ...storage, keepingVolume: async () => null })

  it('deletes for good, and says so before', async () => {
    await using product = await startProduct({ around: nowhere })
    await product.seed({ '/a/1': 'a' })
    expect(await product.as('ann').trash.policy({ query: { path: '/a' } })).toMatchObject({ restorable: false })
    expect(await remove(product, 'ann', '/a')).toBe('')
    expect(await product.storage.stat(at('/a'))).toBe(null)
    expect(await listed(product, 'ann')).toEqual([])
  })

  it('deletes nothing if it had said otherwise', async () => {
    const lost = (storage: Storage): Storage => ({ ...storage, keep: async () => null })
    await using product = await startProduct({ around: lost })
    await product.seed({ '/a/1': 'a' })
    expect(await refusal(remove(product, 'ann', '/a'))).toBe('busy')
    expect(await product.read('/a/1')).toBe('a')
    expect(await listed(product, 'ann')).toEqual([])
  })
})
