import { FILE_RIGHTS, type FileRight } from '../../src/shared/contract/rights.ts'
import type { Permissions, Rule } from '../../src/shared/contract/users.ts'
import { type FilePath, parseFilePath as at, pathFrom } from '../../src/shared/file-path.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import type { Random } from '../model/random.ts'
import { deny, EVERYTHING, type Product } from './world.ts'

export const FILES = { '/docs/a.txt': 'a', '/docs/secret/s.txt': 's', '/docs/.hidden': 'h', '/inbox/in.txt': 'i', '/top.txt': 't' }
export const FOLDERS = ['/docs', '/docs/secret', '/inbox']
export const PLACES = [...FOLDERS, '/docs/secret', '/docs/a.txt', '/docs/.hidden', '/top.txt', '/']
export const PEOPLE = ['ann', 'bea', 'cid', 'dan']

/** What is tried of each right. Creating in a folder needs the right there; the others are about files. */
export const OPERATIONS = { create: true, modify: true, share: true, download: true }

export const applies = (right: FileRight, isFolder: boolean): boolean => right === 'share' || (right === 'create') === isFolder

let made = 0

export async function tryAll(product: Product, { name, place, isFolder }: { name: string; place: FilePath; isFolder: boolean }) {
  const scope = at((await product.account(name)).scope)
  const path = pathFrom(scope, place)
  if (path === null) return { sees: false, rights: [] }
  const call = async (method: string, address: string, body?: string) =>
    (await product.ask(`/api/${address}`, { who: name, method, ...(body !== undefined && { body }) })).status
  const sees = (await call('GET', `resources${path}`)) === 200
  const rights: FileRight[] = []
  if (isFolder && (await call('POST', `resources${path === '/' ? '' : path}/new-${(made += 1)}.txt`, 'new')) === 200) rights.push('create')
  if (!isFolder && (await call('PUT', `resources${path}`, 'changed')) === 200) rights.push('modify')
  if ((await call('POST', `share${path}`, '{}')) === 200) rights.push('share')
  if (!isFolder && (await call('GET', `raw${path}`)) === 200) rights.push('download')
  return { sees, rights }
}

export async function inventWorld(product: Product, random: Random): Promise<void> {
  const root = product.as('root')
  const somewhere = () => random.one([...PLACES, '/docs/new.txt']) ?? '/'
  const rights = () => FILE_RIGHTS.filter(() => random.chance(0.5))
  const perm = (): Permissions => ({ ...NO_RIGHTS, ...Object.fromEntries(FILE_RIGHTS.map((right) => [right, random.chance(0.5)])) })
  const rules = (): Rule[] =>
    Array.from({ length: random.below(3) }, () => ({ ...deny(somewhere()), allow: random.chance(0.4) })).filter(({ path }) => path !== '/')
  const groups: number[] = []
  for (const name of ['One', 'Two', 'Three']) {
    const { id } = await root.groups.create({ body: { name, perm: perm(), rules: rules() } })
    groups.push(id)
    for (let left = random.below(3); left > 0; left -= 1)
      await root.grants.set({ body: { who: { kind: 'group', id }, path: somewhere(), rights: rights() } })
  }
  for (let left = random.below(2); left > 0; left -= 1)
    await root.grants.set({ body: { who: { kind: 'everybody', id: 0 }, path: somewhere(), rights: rights() } })
  await product.world.settings.change((before) => ({ ...before, rules: rules() }))
  for (const name of PEOPLE) {
    const scope = random.one(['/', '/', '/docs', '/inbox']) ?? '/'
    const own = {
      may: random.chance(0.15) ? { ...EVERYTHING, admin: true } : perm(),
      rules: rules(),
      scope,
      hideDotfiles: random.chance(0.3),
    }
    if (name === 'ann') await root.users.remove({ params: { id: String((await product.account('ann')).id) }, body: '' })
    const { id } = await product.add(name, own)
    for (const group of groups)
      if (random.chance(0.5)) await root.groups.addMember({ params: { id: String(group), user: String(id) }, body: {} })
    if (random.chance(0.5)) await root.grants.set({ body: { who: { kind: 'user', id }, path: somewhere(), rights: rights() } })
  }
}
