import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { DirectoryInput } from '../../src/shared/contract/directories.ts'
import { addDirectory, enter, fieldsFor, fieldsForStandIn, statusOf } from '../ldap/directory.ts'
import { BASE, group, groupDn, person, personDn, SEARCHER, type Slapd, startSlapd } from '../ldap/slapd.ts'
import { type Entry, startStandIn } from '../ldap/stand-in.ts'
import { type Product, startProduct } from './world.ts'

// What a second attacker found about directories: each attack succeeded once.
setDefaultTimeout(60_000)

const DEEP = Array.from({ length: 22 }, (_, n) => group(`deep${n}`, [n === 0 ? personDn('odd') : groupDn(`deep${n - 1}`)]))

let slapd: Slapd
let product: Product
beforeAll(async () => {
  slapd = await startSlapd([person('ada'), person('odd'), person('later'), group('it', [personDn('ada')])].join(''))
})
afterAll(() => slapd[Symbol.dispose]())
beforeEach(async () => {
  product = await startProduct()
})
afterEach(async () => {
  await product[Symbol.asyncDispose]()
})

const add = (fields: Partial<DirectoryInput> = {}): Promise<void> => addDirectory(product, { ...fieldsFor(slapd), ...fields })
const check = () => product.as('root').directories.check({ params: { id: 'corp' } })

it('people-attack2-6: an administrator by a directory is none when the directory is removed', async () => {
  await add({ admin: [groupDn('it')] })
  await enter(product, 'ada')
  expect((await product.account('ada')).perm.admin).toBe(true)
  await product.as('root').directories.remove({ params: { id: 'corp' }, body: {} })
  expect((await product.account('ada')).perm.admin).toBe(false)
})

it('people-attack2-7: one person whose groups cannot be read keeps nobody else from losing access', async () => {
  await add({ allow: [], groups: [] })
  await enter(product, 'odd')
  const { text: token } = await enter(product, 'later')
  for (const entry of DEEP) slapd.modify(entry.replace('\n', '\nchangetype: add\n'))
  slapd.modify(`dn: ${personDn('later')}\nchangetype: delete\n`)
  const { problem, ended } = await check()
  expect([await statusOf(product, token), ended]).toEqual([401, 1])
  expect(problem).toContain('nested')
  expect((await product.account('odd')).disabled).toBe(false)
  // Of somebody who is disabled, groups do not matter.
  slapd.modify(`dn: ${personDn('odd')}\nchangetype: modify\nreplace: userAccountControl\nuserAccountControl: 514\n`)
  expect(await check()).toMatchObject({ problem: '', ended: 1 })
})

describe('people-attack2-8: somebody whom a directory brought', () => {
  it('does not disconnect from it, and so cannot stay when they leave it', async () => {
    await add()
    const { text: token } = await enter(product, 'ada')
    // Another way in, of their own.
    const { id } = await product.account('ada')
    await product.db
      .insertInto('account_links')
      .values({ issuer: 'https://idp.example.org', subject: 'x', user_id: id, provider: 'idp', made_admin: 0, created_at: 1, used_at: 0 })
      .execute()
    const answer = await product.ask('/api/oidc/connections/corp', { method: 'DELETE', headers: { 'x-auth': token }, body: '{}' })
    expect(answer.status).toBe(403)
    expect((await product.as('root').providers.links({})).map(({ provider }) => provider)).toContain('corp')
  })
})

describe('people-attack2-9: an entry that its directory calls disabled', () => {
  const entry = (attributes: Entry['attributes']): Entry => ({
    dn: `CN=Ada,${BASE}`,
    attributes: { objectClass: ['user'], sAMAccountName: ['ada'], objectGUID: [Buffer.alloc(16, 7)], ...attributes },
    password: 'password of ada',
  })
  const searcher: Entry = { dn: 'satchel@example.org', attributes: {}, password: SEARCHER.password }

  for (const attribute of ['msDS-UserAccountDisabled', 'loginDisabled', 'ds-pwp-account-disabled'])
    it(`by ${attribute} loses access at the next comparison`, async () => {
      const base: Entry = { dn: BASE, attributes: { objectClass: ['domain'] } }
      const entries = [searcher, base, entry({})]
      await using directory = await startStandIn({ entries })
      await addDirectory(product, fieldsForStandIn(directory))
      const { text: token } = await enter(product, 'ada')
      expect(await statusOf(product, token)).toBe(200)
      entries[2] = entry({ [attribute]: ['TRUE'] })
      await check()
      expect(await statusOf(product, token)).toBe(401)
    })
})
