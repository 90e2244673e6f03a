import { describe, expect, it } from 'bun:test'
import { BULK_MEDIA_TYPE, bulkHead } from '../../src/shared/contract/bulk.ts'
import { MAX_BULK_FILE_BYTES, MAX_BULK_FILES } from '../../src/shared/limits.ts'
import { BROKEN_NAMES, CLIMBS } from './spellings.ts'
import { deny, EVERYTHING, onEachStorage } from './world.ts'

onEachStorage((product) => {
  const send = (body: string, who = 'ann') =>
    product().ask('/api/bulk', {
      method: 'POST',
      who,
      body,
      headers: { 'content-type': BULK_MEDIA_TYPE, 'content-length': String(Buffer.byteLength(body)) },
    })
  const upload = async (files: { path: string; text: string; modified?: number; override?: boolean }[], who = 'ann') => {
    const head = bulkHead(files.map(({ text, ...file }) => ({ ...file, size: Buffer.byteLength(text) })))
    const { failures } = (await (await send(head + files.map(({ text }) => text).join(''), who)).json()) as {
      failures: ({ code: string } | null)[]
    }
    return failures.map((failure) => failure?.code ?? null)
  }
  const stored = async () => Object.keys(await product().snapshot()).filter((path) => path.startsWith('/') && !path.endsWith('/'))

  describe('many small files in one request', () => {
    it('are stored under their names with their times, creating folders', async () => {
      const modified = Date.UTC(2001, 1, 3, 4, 5, 6)
      const files = [
        { path: '/a.txt', text: 'one' },
        { path: '/new/deep/ä b.txt', text: 'zwei ü', modified },
        { path: '/new/empty', text: '' },
      ]
      expect(await upload(files)).toEqual([null, null, null])
      for (const { path, text } of files) expect(await product().read(path)).toBe(text)
      const told = await product().ask('/api/resources/new/deep/%C3%A4%20b.txt', { who: 'ann' })
      expect(Date.parse(((await told.json()) as { modified: string }).modified)).toBe(modified)
    })

    it('are independent of each other', async () => {
      await product().add('ben', { may: { ...EVERYTHING, modify: false }, rules: [deny('/hidden')] })
      await product().seed({ '/taken.txt': 'old', '/hidden/a.txt': 'secret' })
      const files = ['/taken.txt', '/hidden/b.txt', '/free.txt'].map((path) => ({ path, text: 'new' }))
      expect(await upload(files, 'ben')).toEqual(['already-exists', 'not-found', null])
      expect(await upload([{ path: '/taken.txt', text: 'new', override: true }], 'ben')).toEqual(['forbidden'])
      expect(await product().read('/taken.txt')).toBe('old')
      expect(await upload([{ path: '/taken.txt', text: 'new', override: true }])).toEqual([null])
      expect([await product().read('/taken.txt'), await product().read('/free.txt')]).toEqual(['new', 'new'])
    })

    it('keep their order where several have one name', async () => {
      const files = ['one', 'two', 'three'].map((text, at) => ({ path: '/same.txt', text, override: at === 2 }))
      expect(await upload(files)).toEqual([null, 'already-exists', null])
      expect(await product().read('/same.txt')).toBe('three')
    })

    it('change nothing if their description is invalid', async () => {
      await product().seed({ '/a.txt': 'old' })
      const before = await product().snapshot()
      const file = { path: '/b.txt', size: 1 }
      const bodies = [
        '',
        '\n',
        'no line at all',
        '{"files":[]}\n',
        '{"files":[{"path":"/b.txt","size":-1}]}\n',
        '{"files":[{"path":"","size":0}]}\n',
        bulkHead(Array.from({ length: MAX_BULK_FILES + 1 }, (_, at) => ({ path: `/${at}`, size: 0 }))),
        bulkHead([{ path: '/b.txt', size: MAX_BULK_FILE_BYTES + 1 }]) + 'x'.repeat(MAX_BULK_FILE_BYTES + 1),
        bulkHead([file, { path: '/folder/', size: 0 }]) + 'x',
        bulkHead([file, { path: '/', size: 0 }]) + 'x',
        bulkHead([file, file]) + 'x',
        `${bulkHead([file])}too long`,
        `${'x'.repeat(300 * 1024)}\n`,
        ...['/../out.txt', '/a/../../out.txt', '/./a', '/a\0b', '//a'].map((path) => bulkHead([file, { path, size: 1 }]) + 'xy'),
      ]
      for (const body of bodies)
        expect([body.slice(0, 60), [400, 413].includes((await send(body)).status)]).toEqual([body.slice(0, 60), true])
      expect(await product().snapshot()).toEqual(before)
    })

    it('cannot leave a scope in any spelling (I1, GHSA-9f3r-2vgw-m8xp)', async () => {
      await product().add('ben', { scope: '/ben' })
      await product().seed({ '/ben/a.txt': 'ben’s', '/secret.txt': 'secret' })
      // Nothing is decoded here, so one in ten of the spellings says as much as all.
      const some = CLIMBS.filter((_, at) => at % 10 === 0)
      const ways = [...some.flatMap((climb) => [climb, decoded(climb)]), ...BROKEN_NAMES.map((name) => `${name}/../`)]
      for (const way of ways) await send(`${bulkHead([{ path: `/${way}secret.txt`, size: 3, override: true }])}bad`, 'ben')
      expect(await product().read('/secret.txt')).toBe('secret')
      expect((await stored()).filter((path) => !path.startsWith('/ben/')).toSorted()).toEqual(['/ben', '/secret.txt'])
    })

    it('that end midway leave complete files only', async () => {
      const bytes = new TextEncoder().encode(`${bulkHead(['/a', '/b', '/c'].map((path) => ({ path, size: 4 })))}aaaabb`)
      const body = new ReadableStream<Uint8Array>({
        start(control) {
          control.enqueue(bytes)
          control.close()
        },
      })
      const answer = await product().ask('/api/bulk', { method: 'POST', who: 'ann', body })
      expect(answer.status).toBe(400)
      expect(await stored()).toEqual(['/a'])
      expect(await product().storage.staged()).toEqual([])
    })
  })
})

function decoded(climb: string): string {
  try {
    return decodeURIComponent(climb)
  } catch {
    return climb
  }
}
