import { describe, expect, it } from 'bun:test'
import { type Endpoint, endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import type { Rule } from '../../src/shared/contract/users.ts'
import { parseFilePath } from '../../src/shared/file-path.ts'
import { type EndpointName, type LooseArgs, requestOf, SAMPLE_FILES, type Sample, samples } from './samples.ts'
import { deny, onEachStorage, type Person, type Product } from './world.ts'

/** Calls that make what is not there: for them a free place is no refusal, so only hidden places are compared with each other. */
const MAKERS = new Set(['resources.upload', 'tus.create'])

/** Calls that take what a link points to; the others take the link itself. */
const READERS = new Set([
  'resources.recursive',
  'resources.get',
  'resources.rows',
  'resources.rowsInParts',
  'resources.save',
  'resources.subtitle',
  'resources.usage',
  'raw.get',
  'shares.ofPath',
  'shares.create',
  'peopleShares.ofPath',
  'peopleShares.create',
  'search.lines',
  'search.run',
  'previews.get',
  'photos.list',
  'photos.facts',
  'sizes.folder',
  'sizes.largest',
  'sizes.duplicates',
])

/** Below a missing folder nothing is found, which is not a failure. */
const SEEKERS = new Set(['search.lines', 'search.run', 'snapshots.list'])

const PATTERN: Rule = { regex: true, allow: false, path: '', regexp: { raw: '^/hidden(/|$)' } }
/** Three ways to hide, each with a hidden path that exists and one that does not. */
const WAYS: readonly { says: string; person: Person; there: string[]; gone: string }[] = [
  { says: 'a path rule', person: { rules: [deny('/hidden')] }, there: ['/hidden', '/hidden/a.txt', '/hidden/deep'], gone: '/hidden/none' },
  { says: 'a pattern rule', person: { rules: [PATTERN] }, there: ['/hidden', '/hidden/a.txt'], gone: '/hidden/none' },
  { says: 'the wish to see no dotfiles', person: { hideDotfiles: true }, there: ['/.dot', '/.dot/a.txt'], gone: '/.none' },
]

onEachStorage((product) => {
  describe('a hidden node behaves like a missing one', () => {
    for (const { says, person, there, gone } of WAYS) {
      it(`for every call with a path, by ${says} (GHSA-x8qh-7475-c5mp, R4)`, async () => {
        await prepare(product(), person)
        for (const { name, call } of endpointsOf(api).filter(({ call: { path } }) => path.endsWith('/*path'))) {
          for (const sample of samples[name as EndpointName] as readonly Sample<Endpoint>[]) {
            const ask = (path: string) => answer(product(), { call, sample, path })
            const missing = await ask(MAKERS.has(name) ? gone : '/nought')
            const answers = await Promise.all([...there, gone].map(async (path) => [path, await ask(path)]))
            expect({ name, ...Object.fromEntries(answers) }).toEqual({
              name,
              ...Object.fromEntries([...there, gone].map((path) => [path, missing])),
            })
            // What only administrators may ask says so before it looks.
            const status = call.by === 'admin' ? 403 : SEEKERS.has(name) ? 200 : 404
            if (call.by !== 'anyone') expect([name, missing.status]).toEqual([name, status])
          }
        }
      })

      it(`as a destination, by ${says}`, async () => {
        await prepare(product(), person)
        const before = await product().snapshot()
        for (const action of ['copy', 'rename'])
          for (const flags of ['', '&override=true', '&rename=true']) {
            const ask = (to: string) => transfer(product(), `action=${action}&destination=${encodeURIComponent(to)}${flags}`, to)
            const free = await ask(gone)
            expect(free.status).toBe(404)
            for (const to of there) expect({ to, action, flags, ...(await ask(to)) }).toEqual({ to, action, flags, ...free })
          }
        expect(await product().snapshot()).toEqual(before)
      })
    }

    it('through a share as well: a link to a hidden node equals a link to a missing one (I3)', async () => {
      await prepare(product(), { rules: [deny('/hidden')] })
      await product().link('/to-here', 'hidden/a.txt')
      await product().link('/to-gone', 'hidden/b.txt')
      await product().link('/to-folder', 'hidden')
      const before = await product().snapshot()
      for (const { name, call } of endpointsOf(api).filter((one) => READERS.has(one.name)))
        for (const sample of samples[name as EndpointName] as readonly Sample<Endpoint>[]) {
          const here = await answer(product(), { call, sample, path: '/to-here' })
          const inFolder = await answer(product(), { call, sample, path: '/to-folder/a.txt' })
          expect({ name, ...linkless(here) }).toEqual({ name, ...linkless(await answer(product(), { call, sample, path: '/to-gone' })) })
          expect({ name, ...inFolder }).toEqual({ name, ...(await answer(product(), { call, sample, path: '/to-folder/none' })) })
          expect(here.body + inFolder.body).not.toContain('secret')
          expect(inFolder.status).toBe(SEEKERS.has(name) ? 200 : 404)
        }
      expect(await product().snapshot()).toEqual(before)
    })

    it('without any of these calls changing anything', async () => {
      await prepare(product(), { rules: [deny('/hidden')] })
      const before = await product().snapshot()
      for (const { name, call } of endpointsOf(api).filter(({ call: { path } }) => path.endsWith('/*path')))
        for (const sample of samples[name as EndpointName] as readonly Sample<Endpoint>[])
          for (const path of ['/hidden', '/hidden/a.txt', '/hidden/none']) await answer(product(), { call, sample, path })
      expect(await product().snapshot()).toEqual(before)
    })
  })

  it('in other spellings and encodings of its name (I3, GHSA-4mh3-h929-w968)', async () => {
    await product().add('ben', { rules: [deny('/café')] })
    await product().seed({ '/café/a.txt': 'secret', '/cafe\u0301/a.txt': 'secret' })
    for (const spelling of ['/caf%C3%A9/a.txt', '/cafe%CC%81/a.txt', '/%63af%c3%a9/a.txt', '/caf%C3%A9%2Fa.txt'])
      expect((await product().ask(`/api/raw${spelling}`, { who: 'ben' })).status).toBe(404)
  })
})

async function prepare(product: Product, person: Person): Promise<void> {
  await product.seed({ ...SAMPLE_FILES, '/hidden/a.txt': 'secret', '/hidden/deep/b.txt': 'secret', '/.dot/a.txt': 'secret' })
  await product.add('ben', person)
}

interface Answer {
  status: number
  headers: string
  body: string
}

/** The whole answer, with the path taken out wherever it is named. */
async function answer(
  product: Product,
  { call, sample, path }: { call: Endpoint; sample: Sample<Endpoint>; path: string },
): Promise<Answer> {
  const args = sample.args('1') as LooseArgs
  const { address, init } = requestOf(call, { ...args, params: { ...args.params, path: parseFilePath(path) } })
  return seen(await product.ask(address, { ...init, who: 'ben' }), path)
}

/** Without what the link itself is called and when it was made. */
function linkless({ body, ...answered }: Answer): Answer {
  return { ...answered, body: body.replace(/"name":"to-\w+"/, '').replace(/"modified":"[^"]+"/, '') }
}

async function transfer(product: Product, query: string, to: string): Promise<Answer> {
  return seen(await product.ask(`/api/resources/a.txt?${query}`, { method: 'PATCH', who: 'ben' }), to)
}

async function seen(response: Response, path: string): Promise<Answer> {
  const headers = [...response.headers].filter(([name]) => !['date', 'upload-expires', 'content-length'].includes(name))
  return {
    status: response.status,
    headers: JSON.stringify(headers).replaceAll(path, '*'),
    body: (await response.text()).replaceAll(path, '*'),
  }
}
