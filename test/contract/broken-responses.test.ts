import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { ARCHIVE_FORMATS } from '../../src/shared/archive-format.ts'
import { pathOf, type Storage } from '../../src/server/storage/storage.ts'
import { type Product, startProduct } from './world.ts'

/** More than is read ahead while the first bytes are sent. */
const BYTES = 16 * 1024 * 1024

describe('R8: an answer whose bytes cannot be read', () => {
  let product: Product
  let token = ''
  let broken: readonly string[] = []

  beforeAll(async () => {
    product = await startProduct({ storage: 'local', around: (storage) => failing(storage, (path) => broken.includes(path)) })
    await product.seed({ '/docs/a.bin': randomBytes(BYTES), '/docs/b.bin': randomBytes(BYTES) })
    token = await product.signIn('ann')
  })
  afterAll(() => product[Symbol.asyncDispose]())

  for (const format of ARCHIVE_FORMATS) {
    it(`is a failure before its first byte: ${format}`, async () => {
      broken = ['/docs/a.bin', '/docs/b.bin']
      // Often, for whether it looks whole was a matter of chance.
      for (let i = 0; i < 5; i++) expect(await curl(`/api/raw/docs?algo=${format}`)).toEqual({ whole: true, status: 500 })
    })

    it(`is not taken for whole after its first bytes: ${format}`, async () => {
      broken = ['/docs/b.bin']
      expect(await curl(`/api/raw/docs?algo=${format}`)).toEqual({ whole: false, status: 200 })
    })
  }

  /** What curl makes of it: whether it got all that there was, by its own judgement. */
  async function curl(address: string): Promise<{ whole: boolean; status: number }> {
    const url = `http://127.0.0.1:${product.port}${address}`
    const child = Bun.spawn(['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', `x-auth: ${token}`, url], { stdout: 'pipe' })
    const status = Number(await child.stdout.text())
    return { whole: (await child.exited) === 0, status }
  }
})

/** A disk on which some files can be opened, and not read. */
function failing(storage: Storage, isBroken: (path: string) => boolean): Storage {
  return {
    ...storage,
    async open(path) {
      const file = await storage.open(path)
      if (!isBroken(pathOf(path))) return file
      const fails = () => Promise.reject(new Error('the disk cannot be read'))
      return {
        stat: file.stat,
        descriptor: null,
        slice: () => new Blob([]),
        readNow: () => null,
        peek: fails,
        stream: () => new ReadableStream({ pull: fails }),
        close: () => file.close(),
        [Symbol.asyncDispose]: () => file.close(),
      }
    },
  }
}
