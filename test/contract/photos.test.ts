import { describe, expect, it } from 'bun:test'
import sharp from 'sharp'
import { PhotosLine } from '../../src/shared/contract/photos.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { photo, SYDNEY } from './photo-samples.ts'
import { heic } from './pictures.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { deny, EVERYTHING, onEachStorage, type Product } from './world.ts'

type Listed = Extract<PhotosLine, { names: string[] }>

interface List {
  /** `folder/name` and what the last line with it tells. */
  readonly photos: Record<string, { taken: string; from: string; size: string; place: unknown }>
  readonly unread: number
  readonly cut: string | null
}

async function list(product: Product, who: string, path = '/', query = ''): Promise<List> {
  const response = await product.ask(`/api/photos${path}?places=true${query}`, { who })
  expect(response.status).toBe(200)
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  const parsed = lines.map((line) => PhotosLine.parse(JSON.parse(line)))
  const photos: Record<string, List['photos'][string]> = {}
  for (const line of parsed) if ('names' in line) Object.assign(photos, rowsOf(line))
  const [unread = -1] = parsed.flatMap((line) => ('unread' in line ? [line.unread] : []))
  const [cut = 'no end'] = parsed.flatMap((line) => ('end' in line ? [line.cut] : []))
  return { photos, unread, cut }
}

function rowsOf({ folder, names, taken, from, widths, heights, latitudes, longitudes }: Listed): List['photos'] {
  const rows = names.map((name, row): [string, List['photos'][string]] => [
    `${folder === '/' ? '' : folder}/${name}`,
    {
      taken: new Date(taken[row] ?? Number.NaN).toISOString().slice(0, 19),
      from: from.charAt(row),
      size: `${widths[row]}x${heights[row]}`,
      place: [latitudes?.[row], longitudes?.[row]],
    },
  ])
  return Object.fromEntries(rows)
}

const facts = (product: Product, who: string, path: string) => product.as(who).photos.facts({ params: { path: at(path) } })

onEachStorage((product) => {
  describe('the facts of one photo', () => {
    it('are what its metadata tell, and the picture as it was held', async () => {
      await product().seed({ 'a.jpg': await photo(SYDNEY, { orientation: 6 }) })
      expect(await facts(product(), 'ann', '/a.jpg')).toEqual({
        taken: Date.UTC(2024, 6, 19, 12, 3),
        offset: 600,
        takenFrom: 'file',
        width: 40,
        height: 60,
        camera: 'Fujifilm X-T5',
        lens: 'XF35mmF1.4 R',
        focalLength: 35,
        focalLength35: null,
        aperture: 2.8,
        exposure: 1 / 250,
        iso: 400,
        place: { latitude: -33.857, longitude: 151.215 },
        title: null,
        caption: 'The harbour in fog',
        rating: null,
      })
    })

    it('come from the name where the file tells nothing, and from its mtime where that tells nothing either', async () => {
      await product().seed({ 'IMG_20210304_050607.heic': await heic(), 'b.heic': await heic() })
      expect(await facts(product(), 'ann', '/IMG_20210304_050607.heic')).toMatchObject({
        taken: Date.UTC(2021, 2, 4, 5, 6, 7),
        offset: null,
        takenFrom: 'name',
        width: 96,
        height: 64,
      })
      expect(await facts(product(), 'ann', '/b.heic')).toMatchObject({ takenFrom: 'modified', offset: 0 })
    })

    it('are read again when the file has changed', async () => {
      await product().seed({ 'a.jpg': await photo() })
      expect((await facts(product(), 'ann', '/a.jpg')).camera).toBe('Fujifilm X-T5')
      await product().seed({ 'a.jpg': await photo({ IFD0: { Model: 'Box' } }) })
      expect((await facts(product(), 'ann', '/a.jpg')).camera).toBe('Box')
    })

    it('of a RAW photo are those of its directories', async () => {
      const { exif } = await sharp(await photo()).metadata()
      await product().seed({ 'a.dng': exif?.subarray(6) ?? '' })
      expect(await facts(product(), 'ann', '/a.dng')).toMatchObject({ camera: 'Fujifilm X-T5', takenFrom: 'file', offset: 600 })
    })

    it('are content: without the right to download nobody learns them, by one call or the other', async () => {
      await product().seed({ 'a.jpg': await photo() })
      await facts(product(), 'ann', '/a.jpg')
      await product().setRights('ann', { ...EVERYTHING, download: false })
      await expect(facts(product(), 'ann', '/a.jpg')).rejects.toMatchObject({ code: 'download-refused' })
      expect((await product().ask('/api/photos/', { who: 'ann' })).status).toBe(202)
    })
  })

  describe('a list of photos', () => {
    const seed = async (): Promise<void> =>
      product().seed({
        'a.jpg': await photo(),
        'notes.txt': 'no photo',
        'drawing.svg': '<svg/>',
        '2020-05-06 07.08.09.png': 'damaged',
        'trip/b.jpg': await photo({ IFD2: { DateTimeOriginal: '2023:01:02 03:04:05' } }),
        'trip/secret/c.jpg': await photo(),
        '.dot/d.jpg': await photo(),
      })

    it('has those of the folder, and with `recursive` those below it', async () => {
      await seed()
      const flat = await list(product(), 'ann')
      expect(flat).toEqual({
        photos: {
          '/a.jpg': { taken: '2024-07-19T12:03:00', from: 'f', size: '60x40', place: [-33.857, 151.215] },
          '/2020-05-06 07.08.09.png': { taken: '2020-05-06T07:08:09', from: 'n', size: '0x0', place: [null, null] },
        },
        unread: 2,
        cut: null,
      })
      const all = await list(product(), 'ann', '/', '&recursive=true')
      expect(Object.keys(all.photos).toSorted()).toEqual([
        '/.dot/d.jpg',
        '/2020-05-06 07.08.09.png',
        '/a.jpg',
        '/trip/b.jpg',
        '/trip/secret/c.jpg',
      ])
      expect(all.unread).toBe(3)
      expect((await list(product(), 'ann', '/', '&recursive=true')).unread).toBe(0)
    })

    it('says at once what is known, and reads nothing more if it is asked not to', async () => {
      await seed()
      const first = await list(product(), 'ann', '/trip', '&read=false')
      expect(first.photos['/trip/b.jpg']).toMatchObject({ from: 'm', size: '0x0' })
      expect(first.unread).toBe(1)
      await facts(product(), 'ann', '/trip/b.jpg')
      const second = await list(product(), 'ann', '/trip', '&read=false')
      expect(second.photos['/trip/b.jpg']).toMatchObject({ taken: '2023-01-02T03:04:05', from: 'f' })
      expect(second.unread).toBe(0)
    })

    it('leaves out what its viewer may not see, although others have had it read', async () => {
      await seed()
      await list(product(), 'ann', '/', '&recursive=true')
      await product().add('ben', { rules: [deny('/trip/secret'), deny('/a.jpg')], hideDotfiles: true })
      const { photos } = await list(product(), 'ben', '/', '&recursive=true')
      expect(Object.keys(photos).toSorted()).toEqual(['/2020-05-06 07.08.09.png', '/trip/b.jpg'])
      expect((await product().ask('/api/photos/trip/secret', { who: 'ben' })).status).toBe(404)
      await expect(facts(product(), 'ben', '/trip/secret/c.jpg')).rejects.toMatchObject({ code: 'not-found' })
    })

    it('ends at the scope of its viewer', async () => {
      await seed()
      await product().add('cleo', { scope: '/trip' })
      expect(Object.keys((await list(product(), 'cleo', '/', '&recursive=true')).photos).toSorted()).toEqual(['/b.jpg', '/secret/c.jpg'])
    })

    it('has what links in the folder point to, unless it is hidden', async () => {
      await seed()
      await product().link('/trip/soft.jpg', '../a.jpg')
      await product().link('/trip/lost.jpg', 'nowhere.jpg')
      expect((await list(product(), 'ann', '/trip')).photos['/trip/soft.jpg']).toMatchObject({ taken: '2024-07-19T12:03:00', from: 'f' })
      await product().add('ben', { rules: [deny('/a.jpg')] })
      expect(Object.keys((await list(product(), 'ben', '/trip')).photos)).toEqual(['/trip/b.jpg'])
    })

    it('has only what its viewer may download, where that is a right on some folders', async () => {
      await seed()
      await list(product(), 'ann', '/', '&recursive=true')
      await product().add('dan', { may: NO_RIGHTS })
      const who = { kind: 'user' as const, id: (await product().account('dan')).id }
      await product()
        .as('root')
        .grants.set({ body: { who, path: '/trip/secret', rights: ['download'] } })
      expect(Object.keys((await list(product(), 'dan', '/', '&recursive=true')).photos)).toEqual(['/trip/secret/c.jpg'])
      expect((await list(product(), 'dan', '/trip')).photos).toEqual({})
      await product().link('/trip/secret/soft.jpg', '../../a.jpg')
      expect(Object.keys((await list(product(), 'dan', '/trip/secret')).photos)).toEqual(['/trip/secret/c.jpg'])
      await expect(facts(product(), 'dan', '/a.jpg')).rejects.toMatchObject({ code: 'download-refused' })
    })

    it('within a share with people has what is shared', async () => {
      await seed()
      await product().add('eve', { may: NO_RIGHTS, scope: '/eve' })
      const who = { kind: 'user' as const, id: (await product().account('eve')).id }
      const { id } = await product()
        .as('ann')
        .peopleShares.create({ params: { path: at('/trip/secret') }, body: { who, role: 'viewer' } })
      const response = await product().ask(`/with-me/${id}/api/photos/?recursive=true&places=true`, { who: 'eve' })
      const text = await response.text()
      expect(text).toContain('"names":["c.jpg"]')
      expect(text).not.toContain('a.jpg')
      expect((await product().ask(`/with-me/${id}/api/photo-facts/c.jpg`, { who: 'eve' })).status).toBe(200)
      expect((await product().ask(`/with-me/${id}/api/photo-facts/../b.jpg`, { who: 'eve' })).status).not.toBe(200)
    })

    it('and the facts of a photo are nothing for visitors, who have no call for them', async () => {
      await seed()
      for (const path of ['/api/photos/', '/api/photo-facts/a.jpg']) expect((await product().ask(path)).status).toBe(401)
    })
  })
})
