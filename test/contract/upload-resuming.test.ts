import { describe, expect, it } from 'bun:test'
import { OFFSET_MEDIA_TYPE } from '../../src/shared/contract/tus.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { deny, EVERYTHING, onEachStorage } from './world.ts'

const STAMP = `filename YQ==,lastmodified ${btoa('1551675967890')}`
const CHANGED = '2019-03-04T05:06:07.89Z'

onEachStorage((product) => {
  const announce = (path: string, { who = 'ann', stamp = STAMP, length = '4' } = {}) =>
    product()
      .as(who)
      .tus.create({ params: { path: at(path) }, headers: { 'upload-length': length, 'upload-metadata': stamp } })
  const append = (path: string, offset: number, body: string) =>
    product()
      .as('ann')
      .tus.append({ params: { path: at(path) }, headers: { 'upload-offset': String(offset), 'content-type': OFFSET_MEDIA_TYPE }, body })
  const unfinished = (who = 'ann') => product().as(who).tus.unfinished({})
  const timeOf = async (path: string) =>
    Date.parse(
      (
        await product()
          .as('ann')
          .resources.get({ params: { path: at(path) } })
      ).modified,
    )

  describe('the unfinished uploads of a user', () => {
    it('are listed with their offset and metadata, and without those of others', async () => {
      await product().add('bob')
      await announce('/film')
      await append('/film', 0, 'ab')
      await announce('/bob', { who: 'bob' })
      expect(await unfinished()).toMatchObject([{ path: '/film', length: 4, offset: 2, stamp: STAMP, active: false }])
      expect((await unfinished('bob')).map(({ path }) => path)).toEqual(['/bob'])
    })

    it('are still listed after a restart, but not once they are finished or cancelled', async () => {
      for (const path of ['/a', '/b', '/c']) await announce(path)
      await append('/a', 0, 'ab')
      product().restart()
      expect((await unfinished()).map(({ path }) => path).toSorted()).toEqual(['/a', '/b', '/c'])
      await append('/a', 2, 'cd')
      await product()
        .as('ann')
        .tus.cancel({ params: { path: at('/b') } })
      expect((await unfinished()).map(({ path }) => path)).toEqual(['/c'])
    })

    it('are not listed where a rule hides them, or without the create permission', async () => {
      await product().seed({ '/d/': '' })
      await announce('/d/film')
      await product().setRules('ann', [deny('/d')])
      expect(await unfinished()).toEqual([])
      await product().setRules('ann', [])
      await product().setRights('ann', { ...EVERYTHING, create: false })
      await expect(unfinished()).rejects.toMatchObject({ code: 'forbidden' })
    })
  })

  describe('the modification time', () => {
    it('is kept by a resumable upload', async () => {
      await announce('/film')
      await append('/film', 0, 'four')
      expect(await timeOf('/film')).toBe(Date.parse(CHANGED))
    })

    it('is kept by a single request that sends it, also over an existing file', async () => {
      for (const override of ['false', 'true']) {
        await product()
          .as('ann')
          .resources.upload({
            params: { path: at('/a') },
            query: { override },
            headers: { 'x-oc-mtime': String(Date.parse(CHANGED) / 1000) },
            body: override,
          })
        expect(await timeOf('/a')).toBe(Date.parse(CHANGED))
      }
    })

    it('defaults to now, and an invalid one is refused before any byte is stored', async () => {
      const before = Date.now() - 2000
      await product()
        .as('ann')
        .resources.upload({ params: { path: at('/a') }, query: {}, body: 'x' })
      expect(await timeOf('/a')).toBeGreaterThan(before)
      const snapshot = await product().snapshot()
      for (const nonsense of ['yesterday', '1e9', '123456789012', '', '0x10', 'NaN']) {
        const answer = await product().ask('/api/resources/b', {
          method: 'POST',
          who: 'ann',
          headers: { 'x-oc-mtime': nonsense },
          body: 'x',
        })
        expect(answer.status).toBe(400)
      }
      expect(await product().snapshot()).toEqual(snapshot)
    })
  })
})
