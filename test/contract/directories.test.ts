import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import type { DirectoryInput } from '../../src/shared/contract/directories.ts'
import { BASE, group, groupDn, person, personDn, SEARCHER, type Slapd, startSlapd } from '../ldap/slapd.ts'
import { HOUR_MS, type Product, PASSWORD, startProduct } from './world.ts'

// Hashes are computed, on a machine that may be busy.
setDefaultTimeout(60_000)

let slapd: Slapd
let product: Product
beforeAll(async () => {
  slapd = await startSlapd(
    [
      person('ada', { mail: 'ada@example.org' }),
      person('bob'),
      person('root'),
      person('élodie'),
      person('gone', { userAccountControl: '514' }),
      group('staff', [personDn('ada'), personDn('bob')]),
      group('it', [personDn('ada')]),
      group('everybody', [groupDn('staff'), groupDn('circle')]),
      group('circle', [groupDn('everybody')]),
    ].join(''),
  )
})
afterAll(() => slapd[Symbol.dispose]())
beforeEach(async () => {
  product = await startProduct()
})
afterEach(async () => {
  await product[Symbol.asyncDispose]()
})

async function add(fields: Partial<DirectoryInput> = {}): Promise<void> {
  const body = { id: 'corp', name: 'Corp', urls: [slapd.ldaps], ca: slapd.ca, bindDn: SEARCHER.dn, bindPassword: SEARCHER.password, baseDn: BASE, create: true }
  await product.as('root').directories.create({ body: { ...body, ...fields } })
}

async function enter(username: string, password = `password of ${username}`) {
  const answer = await product.ask('/api/login', { method: 'POST', body: JSON.stringify({ username, password }), headers: { accept: 'application/json' } })
  return { status: answer.status, text: await answer.text() }
}

describe('signing in', () => {
  it('works with the name and password of a directory, and finds the account again', async () => {
    await add()
    expect(await enter('ada')).toMatchObject({ status: 200 })
    const { id, perm, scope } = await product.account('ada')
    expect([perm.admin, scope]).toEqual([false, '/users/ada'])
    expect(await enter('ADA', 'password of ada')).toMatchObject({ status: 200 })
    expect((await product.account('ada')).id).toBe(id)
    expect(await enter('élodie')).toMatchObject({ status: 200 })
    expect(await enter('ada', 'wrong')).toMatchObject({ status: 403, text: expect.stringContaining('wrong-credentials') })
    expect(await enter('ann', PASSWORD)).toMatchObject({ status: 200 })
  })
})
