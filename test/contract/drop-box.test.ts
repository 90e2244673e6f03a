import { describe, expect, it } from 'bun:test'
import { SharedDrop } from '../../src/shared/contract/public.ts'
import type { DropTerms, Share, ShareInput } from '../../src/shared/contract/shares.ts'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { until } from './until.ts'
import { deny, EVERYTHING, onEachStorage, type Product } from './world.ts'

const NO_LIMITS: DropTerms = { maxFile: 0, maxFiles: 0, maxBytes: 0, types: [] }

onEachStorage((product) => {
  describe('a drop box', () => {
    it('receives files in the owner’s folder, and records name and message of the visitor', async () => {
      const { hash } = await box(product())
      expect(await send(product(), hash, 'wedding.jpg', 'a picture', { sender: 'Zoë', note: 'With love\nZoë' })).toBe(204)
      expect(await product().read('/box/wedding.jpg')).toBe('a picture')
      expect(Object.keys(await product().snapshot())).not.toContain('/wedding.jpg')
      const [visit] = await product().as('ann').shares.visits({ params: { hash } })
      expect(visit).toMatchObject({ kind: 'upload', path: '/wedding.jpg', sender: 'Zoë', note: 'With love\nZoë' })
      expect(await product().as('ann').shares.mine({})).toMatchObject([{ received: { files: 1, bytes: 9 } }])
    })

    it('never overwrites: a taken name gets a number, without revealing it (FileRise CVE-2026-61843)', async () => {
      await product().seed({ '/box/image.jpg': 'of its owner', '/box/image(1).jpg': 'too' })
      const { hash } = await box(product())
      const all = await Promise.all(['a', 'b', 'c'].map((text) => send(product(), hash, 'image.jpg', text)))
      expect(all).toEqual([204, 204, 204])
      const names = ['image.jpg', 'image(1).jpg', 'image(2).jpg', 'image(3).jpg', 'image(4).jpg']
      const texts = await Promise.all(names.map((name) => product().read(`/box/${name}`)))
      expect([texts.slice(0, 2), texts.slice(2).toSorted()]).toEqual([
        ['of its owner', 'too'],
        ['a', 'b', 'c'],
      ])
      const free = await announce(product(), hash, { name: 'free.jpg' })
      const taken = await announce(product(), hash, { name: 'image.jpg' })
      expect([taken.status, [...taken.headers.keys()].toSorted()]).toEqual([free.status, [...free.headers.keys()].toSorted()])
    })

    it('reveals nothing of its content: no name, number, size, picture or archive (CVE-2021-37628)', async () => {
      await product().seed({ '/box/of-others.txt': 'of others', '/box/sub/deep.txt': 'deep' })
      const { hash } = await box(product())
      const opened = await product().ask(`/api/public/share/${hash}`)
      const told = SharedDrop.parse(await opened.json())
      expect([told.name, told.items, told.numFiles, told.size]).toEqual(['', [], 0, 0])
      for (const path of ['of-others.txt', 'sub', 'sub/deep.txt', 'nothing', ''])
        for (const call of ['share', 'dl', 'preview/thumb', 'preview/big', 'subtitle']) {
          if (call === 'share' && path === '') continue
          const answer = await product().ask(`/api/public/${call}/${hash}/${path}`)
          expect([call, path, answer.status]).toEqual([call, path, 404])
        }
      expect((await product().ask(`/api/public/dl/${hash}/?files=of-others.txt&algo=zip`)).status).toBe(404)
    })

    it('refuses in advance by size, type, number, total and names with folders', async () => {
      const { hash } = await box(product(), { drop: { maxFile: 10, maxFiles: 2, maxBytes: 15, types: ['jpg', 'tar.gz'.slice(4)] } })
      const status = async (name: string, length = 5) => (await announce(product(), hash, { name, length })).status
      expect([await status('a.jpg', 11), await status('a.exe'), await status('sub/a.jpg'), await status('jpg')]).toEqual([
        413, 415, 400, 415,
      ])
      expect(await status('%2e%2e/a.jpg')).not.toBe(201)
      expect([await status('a.JPG', 10), await status('b.jpg', 6), await status('b.jpg', 5), await status('c.gz', 1)]).toEqual([
        201, 423, 201, 423,
      ])
      expect(await product().storage.staged()).toEqual([])
      const told = SharedDrop.parse(await (await product().ask(`/api/public/share/${hash}`)).json())
      expect(told.link.drop).toEqual({ maxFile: 10, maxFiles: 2, maxBytes: 15, types: ['jpg', 'gz'] })
    })

    it('accepts exactly as many files as fit, however many arrive at once', async () => {
      const { hash } = await box(product(), { drop: { ...NO_LIMITS, maxFiles: 5 } })
      const all = await Promise.all(Array.from({ length: 40 }, (_, n) => send(product(), hash, `${n}.txt`, 'text')))
      expect(all.filter((status) => status === 204)).toHaveLength(5)
      expect((await product().storage.list(at('/box'))).names).toHaveLength(5)
      expect(await product().as('ann').shares.mine({})).toMatchObject([{ received: { files: 5, bytes: 20 } }])
    })

    it('checks again at the end: new limits, the owner’s permissions, a removed link', async () => {
      await product().add('ben')
      const ends: ((share: Share) => Promise<unknown>)[] = [
        (share) =>
          product()
            .as('ben')
            .shares.change({ params: { hash: share.hash }, body: { drop: { ...NO_LIMITS, maxFile: 2 } } }),
        (share) =>
          product()
            .as('ben')
            .shares.change({ params: { hash: share.hash }, body: { rights: 'download' } }),
        () => product().setRights('ben', { ...EVERYTHING, create: false }),
        (share) =>
          product()
            .as('ben')
            .shares.remove({ params: { hash: share.hash } }),
      ]
      for (const end of ends) {
        await product().setRights('ben', EVERYTHING)
        const share = await box(product(), {}, 'ben')
        const upload = secret()
        await announce(product(), share.hash, { name: 'late.txt', length: 4, upload })
        expect((await append(product(), share.hash, { name: 'late.txt', upload, bytes: 'la' })).status).toBe(204)
        await end(share)
        const last = await append(product(), share.hash, { name: 'late.txt', upload, bytes: 'te', offset: 2 })
        expect([403, 404, 413]).toContain(last.status)
        expect([...(await product().storage.list(at('/box'))).names]).toEqual([])
      }
    })

    it('A8: keeps no upload that was running when the link ended or its folder was replaced', async () => {
      const changes: Record<string, (hash: string) => Promise<unknown>> = {
        'the link is removed': async (hash) => product().as('ann').shares.remove({ params: { hash } }),
        'its owner may not share any more': () => product().setRights('ann', { ...EVERYTHING, share: false }),
        'its owner has another scope': () => product().setScope('ann', '/elsewhere'),
        'another folder is at its place': async () => {
          await product().storage.move(at('/box'), at('/former'), { replace: false })
          await product().storage.makeFolder(at('/box'))
          product().pass(2000)
        },
      }
      for (const [what, change] of Object.entries(changes)) {
        await product().setRights('ann', EVERYTHING)
        await product().setScope('ann', '/')
        const { hash } = await box(product())
        const upload = secret()
        await announce(product(), hash, { name: 'late.txt', length: 8, upload })
        const changed = Promise.withResolvers<void>()
        const body = new ReadableStream({
          async start(controller) {
            controller.enqueue(Buffer.from('four'))
            await changed.promise
            controller.enqueue(Buffer.from('more'))
            controller.close()
          },
        })
        const stagedBefore = (await product().storage.staged()).length
        const answer = append(product(), hash, { name: 'late.txt', upload, bytes: body })
        await until(async () => (await product().storage.staged()).length > stagedBefore)
        await change(hash)
        changed.resolve()
        expect([what, (await answer).ok]).toEqual([what, false])
        expect(Object.keys(await product().snapshot()).filter((path) => path.endsWith('late.txt'))).toEqual([])
      }
    })

    it('resumes after a lost connection only with the secret of the upload (R14)', async () => {
      const { hash } = await box(product(), { password: 'pass' })
      const other = await box(product(), { password: 'pass' })
      const headers = { 'x-share-password': 'pass' }
      const upload = secret()
      expect((await announce(product(), hash, { name: 'film', length: 6, upload })).status).toBe(401)
      expect((await announce(product(), hash, { name: 'film', length: 6, upload, headers })).status).toBe(201)
      await append(product(), hash, { name: 'film', upload, bytes: 'abc', headers })
      product().restart()
      const where = async (link: string, mine: string) => {
        const answer = await product().ask(`/api/public/tus/${link}/${mine}/film`, {
          method: 'HEAD',
          headers: { ...headers, 'tus-resumable': TUS_VERSION },
        })
        return `${answer.status} ${answer.headers.get('upload-offset')}`
      }
      expect(await where(hash, upload)).toBe('200 3')
      expect([await where(hash, secret()), await where(hash, 'short')]).toEqual(['404 null', '400 null'])
      const wrong = await append(product(), hash, { name: 'film', upload, bytes: 'x', offset: 1, headers })
      expect([wrong.status, wrong.headers.get('upload-offset')]).toEqual([409, '3'])
      expect((await append(product(), hash, { name: 'film', upload, bytes: 'def', offset: 3, headers })).status).toBe(204)
      expect(await product().read('/box/film')).toBe('abcdef')
      expect(await where(other.hash, upload)).toBe('404 null')
    })

    it('keeps visitors’ unfinished uploads separate from the owner’s', async () => {
      const { hash } = await box(product())
      await announce(product(), hash, { name: 'film', length: 6 })
      expect(await product().as('ann').tus.unfinished({})).toEqual([])
    })

    it('applies the owner’s rules without revealing them', async () => {
      await product().add('ben', { rules: [deny('/box/closed.txt')], hideDotfiles: true })
      const { hash } = await box(product(), {}, 'ben')
      for (const name of ['closed.txt', '.hidden']) expect([name, (await announce(product(), hash, { name })).status]).toEqual([name, 403])
    })

    it('is not found when it is full, except for the sender of the last file', async () => {
      const { hash } = await box(product(), { drop: { ...NO_LIMITS, maxFiles: 1, maxBytes: 10 } })
      const upload = secret()
      expect((await announce(product(), hash, { name: 'last', length: 11 })).status).toBe(413)
      await announce(product(), hash, { name: 'last', length: 4, upload })
      expect((await append(product(), hash, { name: 'last', upload, bytes: 'text' })).status).toBe(204)
      const ask = async (link: string, call: string, init: RequestInit = {}) => {
        const answer = await product().ask(`/api/public/${call.replace('H', link)}`, init)
        return [call, answer.status, await answer.text()]
      }
      for (const [method, call] of [
        ['GET', 'share/H'],
        ['GET', 'dl/H'],
        ['POST', `tus/H/${secret()}/new`],
        ['HEAD', `tus/H/${secret()}/last`],
        ['HEAD', 'tus/H/short/last'],
      ] as const) {
        const init = { method, headers: { 'tus-resumable': TUS_VERSION, 'upload-length': '1' } }
        const told = await ask(hash, call, init)
        expect([told, told[1]]).toEqual([await ask('AAAAAAAA', call, init), 404])
      }
      const asked = await product().ask(`/api/public/tus/${hash}/${upload}/last`, {
        method: 'HEAD',
        headers: { 'tus-resumable': TUS_VERSION },
      })
      expect([asked.status, asked.headers.get('upload-offset')]).toEqual([200, '4'])
      await product()
        .as('ann')
        .shares.change({ params: { hash }, body: { rights: 'edit' } })
      expect(await send(product(), hash, 'more.txt', 'more than the box took')).toBe(204)
    })

    it('refuses a signature that is too long', async () => {
      const { hash } = await box(product())
      const long = (key: string, length: number) => ({ [key]: 'x'.repeat(length) })
      expect(await send(product(), hash, 'a.txt', 'a', long('sender', 101))).toBe(400)
      expect(await send(product(), hash, 'a.txt', 'a', long('note', 1001))).toBe(400)
      expect(await send(product(), hash, 'empty.txt', '')).toBe(201)
      expect(await product().read('/box/empty.txt')).toBe('')
    })
  })

  it('accepts new files with folders in an editable share, without overwriting', async () => {
    await product().seed({ '/box/sub/a.txt': 'old' })
    const { hash } = await box(product(), { rights: 'edit' })
    expect(await send(product(), hash, 'sub/a.txt', 'new')).toBe(204)
    expect(await send(product(), hash, 'more/b.txt', 'b')).toBe(204)
    expect([
      await product().read('/box/sub/a.txt'),
      await product().read('/box/sub/a(1).txt'),
      await product().read('/box/more/b.txt'),
    ]).toEqual(['old', 'new', 'b'])
    await product().link('/box/up', '..')
    expect(await send(product(), hash, 'up/out.txt', 'out')).not.toBe(204)
    expect((await product().storage.list(at('/'))).names).not.toContain('out.txt')
  })
})

async function box(product: Product, wish: ShareInput = {}, who = 'ann'): Promise<Share> {
  await product.seed({ '/box/': '' })
  return product.as(who).shares.create({ params: { path: at('/box') }, body: JSON.stringify({ rights: 'drop', ...wish }) })
}

function secret(): string {
  return crypto.randomUUID()
}

interface Wanted {
  name: string
  length?: number
  upload?: string
  stamp?: string
  headers?: Record<string, string>
}

async function announce(product: Product, hash: string, { name, length = 5, upload = secret(), stamp = '', headers = {} }: Wanted) {
  return product.ask(`/api/public/tus/${hash}/${upload}/${name}`, {
    method: 'POST',
    headers: { ...headers, 'tus-resumable': TUS_VERSION, 'upload-length': String(length), 'upload-metadata': stamp },
  })
}

async function append(
  product: Product,
  hash: string,
  {
    name,
    upload,
    bytes,
    offset = 0,
    headers = {},
  }: { name: string; upload: string; bytes: string | ReadableStream; offset?: number; headers?: Record<string, string> },
) {
  return product.ask(`/api/public/tus/${hash}/${upload}/${name}`, {
    method: 'PATCH',
    headers: { ...headers, 'tus-resumable': TUS_VERSION, 'upload-offset': String(offset), 'content-type': OFFSET_MEDIA_TYPE },
    body: bytes,
  })
}

/** A whole file; the status of the last answer. */
async function send(product: Product, hash: string, name: string, bytes: string, signed: Record<string, string> = {}): Promise<number> {
  const upload = secret()
  const stamp = Object.entries(signed)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join()
  const begun = await announce(product, hash, { name, length: Buffer.byteLength(bytes), upload, stamp })
  if (begun.status !== 201 || bytes === '') return begun.status
  return (await append(product, hash, { name, upload, bytes })).status
}
