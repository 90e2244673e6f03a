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
  const body = {
    id: 'corp',
    name: 'Corp',
    urls: [slapd.ldaps],
    ca: slapd.ca,
    bindDn: SEARCHER.dn,
    bindPassword: SEARCHER.password,
    baseDn: BASE,
    create: true,
  }
  await product.as('root').directories.create({ body: { ...body, ...fields } })
}

async function enter(username: string, password = `password of ${username}`) {
  const answer = await product.ask('/api/login', {
    method: 'POST',
    body: JSON.stringify({ username, password }),
    headers: { accept: 'application/json' },
  })
  return { status: answer.status, text: await answer.text() }
}

const change = async (fields: Partial<DirectoryInput>): Promise<void> => {
  const [before] = await product.as('root').directories.list({})
  if (before === undefined) throw new Error('no directory')
  const { id, hasPassword: _has, lastCheck: _last, ...kept } = before
  await product.as('root').directories.update({ params: { id }, body: { ...kept, bindPassword: SEARCHER.password, ...fields } })
}

async function makeGroup(name: string): Promise<number> {
  return (await product.as('root').groups.create({ body: { name, perm: { ...NO_RIGHTS, share: true } } })).id
}

async function members(id: number): Promise<string[]> {
  const { members: found } = await product.as('root').groups.members({ params: { id: String(id) }, query: {} })
  return found.map(({ username, source }) => `${username} (${source})`)
}

const check = () => product.as('root').directories.check({ params: { id: 'corp' } })
const tryIt = (username?: string, password?: string) =>
  product.as('root').directories.try({ params: { id: 'corp' }, body: { username, password } })
const status = async (token: string, address = '/api/resources/') =>
  (await product.ask(address, { headers: { 'x-auth': token, accept: 'application/json' } })).status

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
    expect(await enter('nobody there', 'x')).toMatchObject({ status: 403, text: expect.stringContaining('wrong-credentials') })
    expect(await enter('ann', PASSWORD)).toMatchObject({ status: 200 })
    const [address] = await product.db.selectFrom('mail_addresses').selectAll().where('user_id', '=', id).execute()
    expect(address?.address).toBe('ada@example.org')
  })

  for (const [how, fields] of Object.entries({
    StartTLS: () => ({ urls: [slapd.ldap], startTls: true }),
    'no TLS, where that is allowed for this machine': () => ({ urls: [slapd.ldap], plaintext: true, ca: '' }),
    'the second of several servers': () => ({ urls: ['ldaps://127.0.0.1:9', slapd.ldaps] }),
    'a name made by a pattern, without an account that searches': () => ({
      bindDn: '',
      bindPassword: '',
      bindPattern: `uid={login},ou=people,${BASE}`,
    }),
  }))
    it(`works with ${how}`, async () => {
      await add(fields())
      expect(await enter('ada')).toMatchObject({ status: 200 })
      expect(await enter('bob', 'password of ada')).toMatchObject({ status: 403 })
    })

  it('needs an account, where none is created; its owner or an administrator connects it', async () => {
    await add({ create: false })
    expect(await enter('ada')).toMatchObject({ status: 403, text: expect.stringContaining('"problem":"no-account"') })
    const { attributes } = await tryIt('ada')
    const subject = attributes.find(({ name }) => name === 'entryUUID')?.value ?? ''
    await product.as('root').providers.link({ body: { provider: 'corp', subject: subject.toUpperCase(), username: 'ann' } })
    expect(await enter('ada')).toMatchObject({ status: 200 })
    const [link] = await product.as('root').providers.links({})
    expect(link).toMatchObject({ issuer: 'ldap:corp', subject, username: 'ann' })
    // Her own password still works, and is hers.
    expect(await enter('ann', PASSWORD)).toMatchObject({ status: 200 })
    await product.as('root').providers.unlink({ body: { issuer: 'ldap:corp', subject } })
    expect(await enter('ada')).toMatchObject({ status: 403 })
    await product.as('ann').directory.connect({ params: { id: 'corp' }, body: { username: 'ada', password: 'password of ada' } })
    expect(await enter('ada')).toMatchObject({ status: 200 })
    const { connections } = await product.as('ann').oidc.connections({})
    expect(connections).toMatchObject([{ id: 'corp', kind: 'ldap', connected: expect.any(Number) }])
    await product.as('ann').oidc.disconnect({ params: { id: 'corp' }, body: {} })
    expect(await enter('ada')).toMatchObject({ status: 403 })
  })

  it('connects nobody with a wrong password', async () => {
    await add()
    const connect = (password: string) =>
      product.as('ann').directory.connect({ params: { id: 'corp' }, body: { username: 'ada', password } })
    expect(connect('wrong')).rejects.toMatchObject({ code: 'wrong-credentials' })
    expect(connect('')).rejects.toMatchObject({ code: 'wrong-credentials' })
  })
})

describe('groups', () => {
  for (const groupWay of ['member', 'memberOf'] as const)
    it(`decide who may, who administers and who is a member (${groupWay})`, async () => {
      const staff = await makeGroup('Staff')
      await add({
        groupWay,
        allow: [groupDn('everybody').toUpperCase()],
        admin: [groupDn('it')],
        groups: [{ group: staff, values: [groupDn('staff')] }],
      })
      expect(await enter('ada')).toMatchObject({ status: 200 })
      expect(await enter('bob')).toMatchObject({ status: 200 })
      expect(await enter('root2', 'x')).toMatchObject({ status: 403 })
      expect([(await product.account('ada')).perm.admin, (await product.account('bob')).perm.admin]).toEqual([true, false])
      expect(await members(staff)).toEqual(['ada (ldap corp)', 'bob (ldap corp)'])
      // In a group of a group only.
      await change({ groupWay, nested: false })
      expect(await enter('bob')).toMatchObject({ status: 403, text: expect.stringContaining('not-allowed') })
      await change({ groupWay, allow: [], admin: [groupDn('circle')], nested: true })
      expect(await enter('élodie')).toMatchObject({ status: 200 })
      expect(await enter('ada')).toMatchObject({ status: 200 })
      expect((await product.account('ada')).perm.admin).toBe(true)
      await change({ groupWay, allow: [], admin: [], groups: [] })
      expect(await enter('ada')).toMatchObject({ status: 200 })
      expect([(await product.account('ada')).perm.admin, await members(staff)]).toEqual([false, ['bob (ldap corp)']])
    })
})

describe('a comparison with the directory', () => {
  it('ends the access of somebody who was removed, disabled or left the group, and gives it back', async () => {
    const staff = await makeGroup('Staff')
    slapd.modify(`dn: ${personDn('leaver')}\nchangetype: add\n${person('leaver').split('\n').slice(1).join('\n')}`)
    slapd.modify(`dn: ${groupDn('staff')}\nchangetype: modify\nadd: member\nmember: ${personDn('leaver')}\n`)
    await add({ allow: [groupDn('staff')], groups: [{ group: staff, values: [groupDn('staff')] }] })
    const token = (await enter('leaver')).text
    const kept = (await enter('ada')).text
    const made = await product.ask('/api/tokens', {
      method: 'POST',
      headers: { 'x-auth': token },
      body: JSON.stringify({ name: 'x', perm: { ...NO_RIGHTS, download: true } }),
    })
    const { token: apiToken } = (await made.json()) as { token: string }
    const byToken = async () => (await product.ask('/api/resources/', { headers: { authorization: `Bearer ${apiToken}` } })).status
    expect([await status(token), await byToken()]).toEqual([200, 200])
    expect(await check()).toMatchObject({ problem: '', people: 2, ended: 0 })
    slapd.modify(`dn: ${groupDn('staff')}\nchangetype: modify\ndelete: member\nmember: ${personDn('leaver')}\n`)
    expect(await check()).toMatchObject({ problem: '', people: 2, ended: 1 })
    expect([await status(token), await byToken(), await status(kept)]).toEqual([401, 401, 200])
    expect(await members(staff)).toEqual(['ada (ldap corp)'])
    expect((await product.account('leaver')).disabled).toBe(true)
    expect(await enter('leaver')).toMatchObject({ status: 403 })
    slapd.modify(`dn: ${groupDn('staff')}\nchangetype: modify\nadd: member\nmember: ${personDn('leaver')}\n`)
    expect(await enter('leaver')).toMatchObject({ status: 200 })
    slapd.modify(`dn: ${personDn('leaver')}\nchangetype: modify\nreplace: userAccountControl\nuserAccountControl: 514\n`)
    expect(await check()).toMatchObject({ ended: 1 })
    slapd.modify(`dn: ${personDn('leaver')}\nchangetype: modify\nreplace: userAccountControl\nuserAccountControl: 512\n`)
    expect(await check()).toMatchObject({ ended: 0 })
    expect((await product.account('leaver')).disabled).toBe(false)
    slapd.modify(`dn: ${personDn('leaver')}\nchangetype: delete\n`)
    expect(await check()).toMatchObject({ ended: 1 })
    expect(await product.as('root').directories.list({})).toMatchObject([{ lastCheck: { people: 2, ended: 1, problem: '' } }])
  })

  it('happens by itself when its time has come', async () => {
    slapd.modify(`dn: ${personDn('timed')}\nchangetype: add\n${person('timed').split('\n').slice(1).join('\n')}`)
    await add({ checkMinutes: 30 })
    const token = (await enter('timed')).text
    await product.world.directories.checks.checkDue()
    slapd.modify(`dn: ${personDn('timed')}\nchangetype: delete\n`)
    product.pass(20 * 60_000)
    await product.world.directories.checks.checkDue()
    expect(await status(token)).toBe(200)
    product.pass(11 * 60_000)
    await product.world.directories.checks.checkDue()
    expect(await status(token)).toBe(401)
  })

  it('ends nobody’s access when the directory is away, shows nothing or is misconfigured', async () => {
    await add()
    const token = (await enter('ada')).text
    await change({ urls: ['ldaps://127.0.0.1:9'] })
    expect((await check()).problem).toContain('127.0.0.1:9')
    await change({ urls: [slapd.ldaps], baseDn: `ou=nowhere,${BASE}` })
    expect((await check()).problem).toContain('search')
    await change({ baseDn: BASE, bindDn: '', bindPassword: '' })
    expect((await check()).problem).not.toBe('')
    expect(await status(token)).toBe(200)
  })

  it('people-attack-6b: leaves off what an administrator switched off after it had done so itself', async () => {
    await add()
    await enter('bob')
    const { id } = await product.account('bob')
    slapd.modify(`dn: ${personDn('bob')}\nchangetype: modify\nreplace: userAccountControl\nuserAccountControl: 514\n`)
    try {
      await check()
      expect((await product.account('bob')).disabled).toBe(true)
      for (const action of ['enable', 'disable'] as const)
        await product.as('root').people.change({ body: { ids: [id], change: { action } } })
    } finally {
      slapd.modify(`dn: ${personDn('bob')}\nchangetype: modify\ndelete: userAccountControl\n`)
    }
    expect(await enter('bob')).toMatchObject({ status: 403 })
    expect((await product.account('bob')).disabled).toBe(true)
  })

  it('leaves off what an administrator switched off, and leaves the last administrator on', async () => {
    await add({ admin: [groupDn('it')] })
    await enter('bob')
    await product.world.users.setDisabled((await product.account('bob')).id, { disabled: true })
    expect(await check()).toMatchObject({ ended: 0 })
    expect((await product.account('bob')).disabled).toBe(true)
    expect(await enter('bob')).toMatchObject({ status: 403 })
    const token = (await enter('ada')).text
    await change({ admin: [], allow: [groupDn('circle')] })
    // The others who administer.
    const root = await product.account('root')
    const before = product.world.directories
    await product.world.users.setDisabled(root.id, { disabled: true })
    slapd.modify(`dn: ${personDn('ada')}\nchangetype: modify\nreplace: userAccountControl\nuserAccountControl: 514\n`)
    try {
      const [directory] = await before.store.all()
      if (directory === undefined) throw new Error('no directory')
      await before.checks.check(directory)
    } finally {
      slapd.modify(`dn: ${personDn('ada')}\nchangetype: modify\ndelete: userAccountControl\n`)
    }
    expect((await product.account('ada')).disabled).toBe(false)
    expect(await status(token)).toBe(401)
  })
})

describe('a directory that is away', () => {
  it('asks its people to try later, and lets accounts of this server in', async () => {
    await add({ urls: ['ldaps://127.0.0.1:9'] })
    expect(await enter('ann', PASSWORD)).toMatchObject({ status: 200 })
    expect(await enter('ada')).toMatchObject({ status: 503, text: expect.stringContaining('directory-away') })
    // The answer does not tell whose password is kept here.
    expect(await enter('ann', 'wrong')).toMatchObject({ status: 503, text: expect.stringContaining('directory-away') })
  })
})

describe('confirming who one is', () => {
  const body = { name: 'Laptop', perm: { ...NO_RIGHTS, download: true } }
  const makeToken = (token: string, current_password?: string) =>
    product.ask('/api/tokens', {
      method: 'POST',
      headers: { 'x-auth': token, accept: 'application/json' },
      body: JSON.stringify({ ...body, current_password }),
    })

  for (const [how, fields] of Object.entries({
    'an account that searches': {},
    'a pattern': { bindDn: '', bindPassword: '', bindPattern: `uid={login},ou=people,${BASE}` },
  }))
    it(`works with the password in the directory (${how})`, async () => {
      await add(fields)
      const { text: token } = await enter('ada')
      product.pass(6 * 60_000)
      expect(await (await makeToken(token)).text()).toContain('proof-needed')
      for (const wrong of ['', 'wrong', 'password of bob', '!', '\0']) expect((await makeToken(token, wrong)).status).toBe(403)
      expect((await makeToken(token, 'password of ada')).status).toBe(200)
      const answer = await product.ask('/api/oidc/connections', { headers: { 'x-auth': token } })
      expect(await answer.json()).toMatchObject({ password: true })
    })
})

describe('trying it', () => {
  it('explains each step, signs nobody in and creates nothing', async () => {
    const staff = await makeGroup('Staff')
    await add({ groups: [{ group: staff, values: [groupDn('staff')] }] })
    const { steps, attributes, problem } = await tryIt('ada', 'password of ada')
    expect(problem).toBeNull()
    expect(steps.map(({ step, ok }) => `${step} ${ok}`)).toEqual(
      ['connect', 'tls', 'bind', 'search', 'person', 'password', 'groups', 'account'].map((step) => `${step} true`),
    )
    expect(steps.map(({ detail }) => detail).join('\n')).toContain('a new account ada would be created; groups: Staff')
    expect(attributes.map(({ name }) => name)).toEqual(['entryUUID', 'uid', 'mail'])
    expect(product.account('ada')).rejects.toThrow()
    expect(await tryIt()).toMatchObject({ problem: null, attributes: [] })
    expect((await tryIt('ada')).steps.at(-1)).toMatchObject({ step: 'account', ok: true })
    expect((await tryIt('root', 'password of root')).problem).toBe('name-taken')
  })

  it('says at which step it ends and why', async () => {
    await add()
    const last = async (username?: string, password?: string) => (await tryIt(username, password)).steps.at(-1)
    expect(await last('ada', 'wrong')).toMatchObject({ step: 'password', ok: false })
    expect(await last('nobody there')).toMatchObject({ step: 'person', ok: false })
    expect(await last('gone', 'password of gone')).toMatchObject({
      step: 'password',
      detail: 'the account is disabled (userAccountControl)',
    })
    await change({ bindPassword: 'wrong' })
    expect(await last('ada')).toMatchObject({ step: 'bind', detail: expect.stringContaining('the account that searches is refused') })
    await change({ ca: '' })
    expect(await last()).toMatchObject({ step: 'connect', ok: false, detail: expect.stringContaining('TLS') })
    await change({ urls: ['ldaps://127.0.0.1:9'] })
    expect(await last()).toMatchObject({ step: 'connect', ok: false })
  })
})

describe('a configuration', () => {
  const refusal = (fields: Partial<DirectoryInput>) =>
    add(fields).then(
      () => null,
      (error: { detail?: { issues?: string[] } }) => error.detail?.issues?.join('; ') ?? JSON.stringify(error),
    )

  it('that cannot be one is refused, field by field', async () => {
    for (const [fields, issue] of [
      [{ urls: ['https://ldap.example.org'] }, 'urls'],
      [{ urls: ['ldap://ldap.example.org'] }, 'StartTLS'],
      [{ urls: ['ldap://ldap.example.org'], plaintext: true }, 'not on this machine'],
      [{ urls: ['ldaps://name:password@ldap.example.org'] }, 'urls'],
      [{ baseDn: 'example.org' }, 'baseDn'],
      [{ userFilter: '(uid=ada)' }, '{login} is missing'],
      [{ userFilter: '(&(uid={login})(cn=x)' }, 'RFC 4515'],
      [{ userFilter: '({login}=x)' }, 'in a comparison only'],
      [{ userFilter: '(uid:caseExactMatch:={login})' }, 'in a comparison only'],
      [{ groupFilter: '(objectClass=groupOfNames' }, 'groupFilter'],
      [{ allow: ['staff'] }, 'allow'],
      [{ admin: [groupDn('it')], groupWay: 'none' }, 'groupWay'],
      [{ bindPattern: `uid=ada,${BASE}` }, 'bindPattern'],
      [{ ca: 'none' }, 'ca'],
    ] as [Partial<DirectoryInput>, string][])
      expect(await refusal(fields)).toContain(issue)
  })

  it('keeps its password to itself, and asks for it again before it would go elsewhere', async () => {
    await add()
    const [listed] = await product.as('root').directories.list({})
    expect(JSON.stringify(listed)).not.toContain(SEARCHER.password)
    expect(listed).toMatchObject({ hasPassword: true })
    const elsewhere = change({ bindPassword: undefined, urls: ['ldaps://elsewhere.example'] })
    expect(elsewhere).rejects.toMatchObject({ code: 'secret-needed' })
    expect(change({ bindPassword: undefined, ca: '' })).rejects.toMatchObject({ code: 'secret-needed' })
    await change({ bindPassword: undefined, name: 'Other' })
    expect(await enter('ada')).toMatchObject({ status: 200 })
    expect(JSON.stringify(product.logged)).not.toContain(SEARCHER.password)
    // Identities of another kind would be those of others.
    expect(change({ idAttribute: 'ipaUniqueID' })).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('shares its ids with providers', async () => {
    await add()
    const provider = { id: 'corp', name: 'x', issuer: 'https://idp.example.org', clientId: 'x' }
    expect(product.as('root').providers.create({ body: provider })).rejects.toMatchObject({ code: 'already-exists' })
    await product.as('root').providers.create({ body: { ...provider, id: 'idp' } })
    expect(await refusal({ id: 'idp' } as Partial<DirectoryInput>)).toContain('already-exists')
  })

  it('that is removed takes its connections and memberships along', async () => {
    const staff = await makeGroup('Staff')
    await add({ groups: [{ group: staff, values: [groupDn('staff')] }] })
    const { text: token } = await enter('ada')
    await product.as('root').directories.remove({ params: { id: 'corp' }, body: {} })
    expect([await status(token), await members(staff), await product.as('root').providers.links({})]).toEqual([401, [], []])
    expect(await enter('ada')).toMatchObject({ status: 403 })
    expect(product.as('root').directories.try({ params: { id: 'corp' }, body: {} })).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('passwords of this server', () => {
  it('can be refused while a directory lets people in', async () => {
    await add()
    await product.world.settings.change((before) => ({ ...before, providersOnly: true }))
    expect(await enter('ann', PASSWORD)).toMatchObject({ status: 403 })
    expect(await enter('ada')).toMatchObject({ status: 200 })
    expect(change({ enabled: false })).rejects.toMatchObject({ code: 'invalid-input' })
  })
})

it('the activity names the directory', async () => {
  await add()
  await enter('ada')
  product.pass(HOUR_MS)
  await product.world.trail.settled()
  const rows = await product.db.selectFrom('audit').selectAll().execute()
  expect(JSON.stringify(rows)).toContain('ldap corp')
  expect(JSON.stringify(rows)).not.toContain(SEARCHER.password)
})
