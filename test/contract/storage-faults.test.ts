import { expect, it } from 'bun:test'
import { readdirSync } from 'node:fs'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { manifest } from '../../src/server/drive/samples.suite.ts'
import { createFaulty, type Fault, type Faulty, FAULTS } from '../../src/server/storage/faulty.suite.ts'
import { type Product, startProduct } from './world.ts'

/**
 * Every way in which the product writes, on a storage of which one call goes wrong: the first, the second, and so on to the last. What there is
 * afterwards is old or new, the answer says what went wrong, and nothing stays behind.
 */
interface Deed {
  readonly before: Record<string, string>
  readonly after: Record<string, string>
  /** Each name by itself is old or new, where many are changed; else all is old, or all is new. */
  readonly many?: boolean
  /** `from` what is moved, `to` where it goes: one of both is there. */
  readonly moved?: readonly (readonly [from: string, to: string])[]
  act(ask: Ask): Promise<Response>
}
type Ask = (method: string, address: string, init?: RequestInit) => Promise<Response>

const TEXT = 'a new text'
const BRANCH = { '/d/': '', '/d/a': 'one', '/d/sub/': '', '/d/sub/b': 'two' }
const standing = (folder: string) => ({ [`${folder}/`]: '', [`${folder}/a`]: 'old', [`${folder}/own`]: 'own' })
const transfer =
  (action: 'copy' | 'rename', from: string, to: string, override = false) =>
  (ask: Ask) =>
    ask('PATCH', `/api/resources${from}?action=${action}&destination=${to}&override=${override}`)

const DEEDS: Record<string, Deed> = {
  upload: { before: {}, after: { '/a': TEXT }, act: (ask) => ask('POST', '/api/resources/a', { body: TEXT }) },
  'upload into new folders': {
    before: {},
    after: { '/n/': '', '/n/m/': '', '/n/m/a': TEXT },
    many: true,
    act: (ask) => ask('POST', '/api/resources/n/m/a', { body: TEXT }),
  },
  'upload over': {
    before: { '/a': 'old' },
    after: { '/a': TEXT },
    act: (ask) => ask('POST', '/api/resources/a?override=true', { body: TEXT }),
  },
  save: { before: { '/a': 'old' }, after: { '/a': TEXT }, act: (ask) => ask('PUT', '/api/resources/a', { body: TEXT }) },
  'new folder': { before: {}, after: { '/n/': '' }, act: (ask) => ask('POST', '/api/resources/n/') },
  'copy a file': { before: { '/a': 'one' }, after: { '/a': 'one', '/b': 'one' }, act: transfer('copy', '/a', '/b') },
  'copy a file over another': {
    before: { '/a': 'one', '/b': 'old' },
    after: { '/a': 'one', '/b': 'one' },
    act: transfer('copy', '/a', '/b', true),
  },
  'copy a folder': { before: BRANCH, after: { ...BRANCH, ...under('/e') }, many: true, act: transfer('copy', '/d', '/e') },
  'move a file': { before: { '/a': 'one' }, after: { '/b': 'one' }, act: transfer('rename', '/a', '/b') },
  'move a folder': { before: BRANCH, after: under('/e'), act: transfer('rename', '/d', '/e') },
  'merge a folder into another': {
    before: { ...BRANCH, ...standing('/e') },
    after: { ...standing('/e'), ...under('/e') },
    many: true,
    moved: pairs('/e'),
    act: transfer('rename', '/d', '/e', true),
  },
  'move a file to another disk': {
    before: { '/a': 'one', '/other/': '' },
    after: { '/other/': '', '/other/b': 'one' },
    many: true,
    moved: [['/a', '/other/b']],
    act: transfer('rename', '/a', '/other/b'),
  },
  'move a folder to another disk': {
    before: { ...BRANCH, '/other/': '' },
    after: { '/other/': '', ...under('/other/e') },
    many: true,
    moved: pairs('/other/e'),
    act: transfer('rename', '/d', '/other/e'),
  },
  'merge a folder into one of another disk': {
    before: { ...BRANCH, '/other/': '', ...standing('/other/e') },
    after: { '/other/': '', ...standing('/other/e'), ...under('/other/e') },
    many: true,
    moved: pairs('/other/e'),
    act: transfer('rename', '/d', '/other/e', true),
  },
  'delete a file': { before: { '/a': 'one' }, after: {}, act: (ask) => ask('DELETE', '/api/resources/a') },
  'delete a folder': { before: BRANCH, after: {}, many: true, act: (ask) => ask('DELETE', '/api/resources/d') },
}

const STATUSES: Record<Fault, readonly number[]> = {
  'full before': [507],
  'full short': [507],
  'refused before': [403],
  // Somebody else took it away meanwhile: to be told, or what was wanted anyway.
  'vanished before': [404, 423],
  'broken before': [500],
  'broken after': [500],
  'slow before': [],
}
/** More than any operation makes. */
const MOST_CALLS = 400

for (const place of ['memory', 'local'] as const) {
  it(`keeps old or new content and no leftovers, whichever call of a ${place} storage fails`, async () => {
    const { product, faulty } = await start(place)
    await using _ = product
    const descriptors = openDescriptors()
    const wrong: string[] = []
    let runs = 0
    for (const [name, operation] of Object.entries(DEEDS)) {
      // On a real disk each run costs some writes that are waited for.
      for (const fault of place === 'memory' ? faults : (['broken after'] as const)) {
        for (let nth = 1; nth < MOST_CALLS; nth++) {
          await emptied(product)
          await product.seed(operation.before)
          faulty.arm(fault, nth)
          const { status } = await operation.act((method, address, init) => product.ask(address, { who: 'ann', ...init, method }))
          const { calls, failed } = faulty.disarm()
          const where = `${name}, ${fault} in call ${nth} (${failed ?? 'none'})`
          for (const one of wrongIn(operation, await manifest(product.storage), status === 200)) wrong.push(`${where}: ${one}`)
          const allowed = failed === null ? [200] : [200, ...STATUSES[fault]]
          if (!allowed.includes(status)) wrong.push(`${where}: the answer is ${status}`)
          const staged = await product.storage.staged()
          if (failed !== 'discard' && staged.length > 0) wrong.push(`${where}: something is staged`)
          for (const id of staged) await product.storage.stage(id, { near: ROOT }).discard()
          runs++
          if (calls < nth) break
        }
      }
    }
    expect(wrong).toEqual([])
    expect(runs).toBeGreaterThan(Object.keys(DEEDS).length * 10)
    expect(openDescriptors()).toBeLessThanOrEqual(descriptors + 8)
  }, 300_000)
}

it('a resumable upload continues, whichever call of the storage failed', async () => {
  const { product, faulty } = await start('memory')
  await using _ = product
  const address = '/api/tus/a'
  const tus = { 'tus-resumable': TUS_VERSION }
  const ask = (method: string, headers: Record<string, string>, body?: string) =>
    product.ask(address, { who: 'ann', method, headers: { ...tus, ...headers }, body })
  const announce = () => ask('POST', { 'upload-length': String(TEXT.length), 'upload-metadata': 'filename YQ==' })
  const send = (from: number) => ask('PATCH', { 'upload-offset': String(from), 'content-type': OFFSET_MEDIA_TYPE }, TEXT.slice(from))
  const wrong: string[] = []
  for (const fault of faults) {
    for (let nth = 1; nth < MOST_CALLS; nth++) {
      await emptied(product)
      faulty.arm(fault, nth)
      if ((await announce()).ok) await send(0)
      const { calls, failed } = faulty.disarm()
      const where = `${fault} in call ${nth} (${failed ?? 'none'})`
      const found = await manifest(product.storage)
      if (!isSame(found, {}) && !isSame(found, { '/a': TEXT })) wrong.push(`${where}: half done: ${JSON.stringify(found)}`)
      // As a client continues after an error.
      const told = await ask('HEAD', {})
      if (told.status === 404) await announce()
      const offset = Number(told.headers.get('upload-offset') ?? 0)
      const status = offset < TEXT.length ? (await send(offset)).status : 204
      if (status !== 204) wrong.push(`${where}: it could not go on at ${offset}: ${status}`)
      if (!isSame(await manifest(product.storage), { '/a': TEXT })) wrong.push(`${where}: it never came`)
      if ((await product.storage.staged()).length > 0) wrong.push(`${where}: something is staged`)
      await product.db.deleteFrom('uploads').execute()
      for (const id of await product.storage.staged()) await product.storage.stage(id, { near: ROOT }).discard()
      if (calls < nth) break
    }
  }
  expect(wrong).toEqual([])
}, 300_000)

const faults = Object.keys(FAULTS) as Fault[]

async function start(place: 'memory' | 'local'): Promise<{ product: Product; faulty: Faulty }> {
  const made = Promise.withResolvers<Faulty>()
  const product = await startProduct({
    storage: place,
    around(inner) {
      const faulty = createFaulty(inner)
      made.resolve(faulty)
      return faulty.storage
    },
  })
  await product.signIn('ann')
  return { product, faulty: await made.promise }
}

async function emptied({ storage }: Product): Promise<void> {
  for (const path of Object.keys(await manifest(storage)).reverse()) await storage.remove(at(path))
}

function wrongIn({ before, after, many = false, moved = [] }: Deed, found: Record<string, string>, done: boolean): string[] {
  if (done) return isSame(found, after) ? [] : [`said to be done: ${JSON.stringify(found)}`]
  if (!many) return isSame(found, before) || isSame(found, after) ? [] : [`half done: ${JSON.stringify(found)}`]
  const odd = Object.entries(found).filter(([name, text]) => before[name] !== text && after[name] !== text)
  const kept = Object.keys(before).filter((name) => name in after && !(name in found))
  const lost = moved.filter(([from, to]) => !(from in found) && found[to] !== after[to])
  return [...odd, ...kept, ...lost].map(String)
}

function isSame(one: Record<string, string>, other: Record<string, string>): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

function under(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(BRANCH).map(([name, text]) => [name.replace('/d', folder), text]))
}

function pairs(folder: string): [string, string][] {
  return Object.keys(BRANCH)
    .filter((name) => !name.endsWith('/'))
    .map((name) => [name, name.replace('/d', folder)])
}

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}
