import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { addDirectory, enter, fieldsForStandIn } from '../ldap/directory.ts'
import { BASE, SEARCHER } from '../ldap/slapd.ts'
import { type Entry, type StandIn, startStandIn } from '../ldap/stand-in.ts'
import { type Product, startProduct } from './world.ts'

// Hashes are computed, on a machine that may be busy.
setDefaultTimeout(60_000)

let product: Product
beforeEach(async () => {
  product = await startProduct()
})
afterEach(async () => {
  await product[Symbol.asyncDispose]()
})

const SEARCHER_ENTRY: Entry = {
  dn: `CN=satchel,CN=Users,${BASE}`,
  attributes: {},
  password: SEARCHER.password,
  alsoKnownAs: ['satchel@example.org'],
}
/** Every byte a letter, as happens to one GUID in millions; and with the mark that text may begin with. */
const LETTERS = Buffer.from('ABCDEFGHIJKLMNOP')
const MARKED = Buffer.from('efbbbf4445464748494a4b4c4d4e4f50', 'hex')

function user(name: string, guid: Buffer, fields: Partial<Entry> & { attributes?: Entry['attributes'] } = {}): Entry {
  const attributes = {
    objectClass: ['user'],
    objectGUID: [guid],
    sAMAccountName: [name],
    mail: [`${name}@example.org`],
    ...fields.attributes,
  }
  return {
    dn: `CN=${name},OU=People,${BASE}`,
    password: 'right',
    alsoKnownAs: [`${name}@example.org`, `EXAMPLE\\${name}`],
    ...fields,
    attributes,
  }
}

function group(name: string, members: readonly string[]): Entry {
  return { dn: `CN=${name},OU=Groups,${BASE}`, attributes: { objectClass: ['group'], member: members } }
}

const dnOf = (name: string, unit = 'Groups'): string => `CN=${name},OU=${unit},${BASE}`

async function withDirectory(entries: readonly Entry[], fields: Partial<ReturnType<typeof fieldsForStandIn>> = {}): Promise<StandIn> {
  const directory = await startStandIn({ entries: [{ dn: BASE, attributes: {} }, SEARCHER_ENTRY, ...entries] })
  await addDirectory(product, { ...fieldsForStandIn(directory), ...fields })
  return directory
}

describe('Active Directory', () => {
  it('knows people by objectGUID, whatever its bytes look like', async () => {
    const random = Buffer.from('00ff112233445566778899aabbccddee', 'hex')
    await using directory = await withDirectory([user('ada', LETTERS), user('bob', MARKED), user('cyd', random)])
    for (const name of ['ada', 'bob', 'cyd']) expect(await enter(product, name, 'right')).toMatchObject({ status: 200 })
    const links = await product.as('root').providers.links({})
    expect(links.map(({ subject }) => subject)).toEqual([LETTERS, MARKED, random].map((one) => one.toString('hex')))
    expect(await product.as('root').directories.check({ params: { id: 'corp' } })).toMatchObject({ problem: '', people: 3, ended: 0 })
    expect(directory.searches.length).toBeGreaterThan(0)
  })

  it('follows nested groups itself, in circles too', async () => {
    const staff = (await product.as('root').groups.create({ body: { name: 'Staff', perm: { ...NO_RIGHTS, share: true } } })).id
    const entries = [
      user('ada', LETTERS),
      group('inner', [dnOf('ada', 'People')]),
      group('outer', [dnOf('inner'), dnOf('circle')]),
      group('circle', [dnOf('outer')]),
      group('others', []),
    ]
    await using _directory = await withDirectory(entries, {
      admin: [dnOf('OUTER')],
      allow: [dnOf('circle')],
      groups: [{ group: staff, values: [dnOf('others')] }],
    })
    expect(await enter(product, 'ada', 'right')).toMatchObject({ status: 200 })
    expect((await product.account('ada')).perm.admin).toBe(true)
    expect((await product.as('root').groups.members({ params: { id: String(staff) }, query: {} })).members).toEqual([])
  })

  it('returns more groups than fit in one page', async () => {
    const many = Array.from({ length: 1200 }, (_, at) => group(`group ${at}`, [dnOf('ada', 'People')]))
    await using _directory = await withDirectory([user('ada', LETTERS), ...many], { admin: [dnOf('group 1199')] })
    expect(await enter(product, 'ada', 'right')).toMatchObject({ status: 200 })
    expect((await product.account('ada')).perm.admin).toBe(true)
  })

  for (const pattern of ['{login}@example.org', 'EXAMPLE\\{login}'])
    it(`takes ${pattern} instead of a distinguished name`, async () => {
      await using directory = await withDirectory([user('ada', LETTERS)], { bindDn: '', bindPassword: '', bindPattern: pattern })
      expect(await enter(product, 'ada', 'right')).toMatchObject({ status: 200 })
      // Then as the entry that was found, to be certain that it is the same.
      expect(directory.binds.map(({ dn }) => dn)).toEqual([pattern.replace('{login}', 'ada'), dnOf('ada', 'People')])
      expect(await enter(product, 'ada', 'wrong')).toMatchObject({ status: 403 })
    })

  it('lets nobody in whose account is disabled or has expired', async () => {
    const expired = user('old', MARKED, { attributes: { accountExpires: ['131592384000000000'] } })
    const disabled = user('off', LETTERS, { attributes: { userAccountControl: ['66050'] } })
    const fine = user('fine', Buffer.alloc(16, 7), { attributes: { userAccountControl: ['512'], accountExpires: ['9223372036854775807'] } })
    await using _directory = await withDirectory([expired, disabled, fine])
    const answers = await Promise.all(['old', 'off', 'fine'].map((name) => enter(product, name, 'right')))
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200])
  })

  it('leaves out values of memberOf, of which none may be missing', async () => {
    const ada = user('ada', LETTERS, { attributes: { 'memberOf;range=0-1499': [dnOf('staff')], memberOf: [] } })
    await using _directory = await withDirectory([ada], { groupWay: 'memberOf' })
    expect(await enter(product, 'ada', 'right')).toMatchObject({ status: 503 })
    expect(product.logged.join('\n')).toContain('memberOf has too many values')
  })

  it('explains a refusal to an administrator who tries it', async () => {
    await using _directory = await withDirectory([user('ada', LETTERS, { bindCode: '775' })])
    const tried = await product.as('root').directories.try({ params: { id: 'corp' }, body: { username: 'ada', password: 'right' } })
    expect(tried.steps.at(-1)?.detail).toStartWith('the account is locked after wrong passwords (bind: 80090308')
  })
})
