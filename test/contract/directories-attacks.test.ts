import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { Client } from 'ldapts'
import type { DirectoryInput } from '../../src/shared/contract/directories.ts'
import { element, elementsIn, integer, sequence, text } from '../ldap/ber.ts'
import { type Certificates, makeCertificates } from '../ldap/certificates.ts'
import { addDirectory, enter, fieldsFor, fieldsForStandIn, statusOf } from '../ldap/directory.ts'
import { BASE, group, groupDn, person, personDn, SEARCHER, type Slapd, startSlapd } from '../ldap/slapd.ts'
import { type Entry, startStandIn } from '../ldap/stand-in.ts'
import { type Product, PASSWORD, startProduct } from './world.ts'

// A directory that does not answer is waited for.
setDefaultTimeout(120_000)

const GUESTS = `ou=guests,${BASE}`
const below = (dn: string, entry: string): string => entry.replace(/^dn: ([^,]+),.*$/m, `dn: $1,${dn}`)

let slapd: Slapd
let product: Product
let home: string
let certificates: Certificates
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'satchel-certificates-'))
  certificates = makeCertificates(home)
  slapd = await startSlapd(
    [
      person('ada', { mail: 'ada@example.org' }).replace(
        'mail:',
        'mail: a1@example.org\nmail: a2@example.org\nmail: a3@example.org\nmail:',
      ),
      person('bob'),
      person('root', { mail: 'ann@example.org' }),
      `dn: ${GUESTS}\nobjectClass: organizationalUnit\nou: guests\n\n`,
      // A guest who chose the name of somebody else, with a password of their own.
      below(GUESTS, person('ada').replace('password of ada', 'password of the guest')),
      `dn: ou=sub,ou=people,${BASE}\nobjectClass: organizationalUnit\nou: sub\n\n`,
      below(`ou=sub,ou=people,${BASE}`, person('eve')),
      group('admins', [personDn('bob')]),
      `dn: cn=admins,${GUESTS}\nobjectClass: groupOfNames\ncn: admins\nmember: ${personDn('ada')}\n\n`,
    ].join(''),
  )
})
afterAll(() => {
  slapd[Symbol.dispose]()
  rmSync(home, { recursive: true, force: true })
})
beforeEach(async () => {
  product = await startProduct()
})
afterEach(async () => {
  await product[Symbol.asyncDispose]()
})

const add = (fields: Partial<DirectoryInput> = {}): Promise<void> =>
  addDirectory(product, { ...fieldsFor(slapd), baseDn: `ou=people,${BASE}`, groupBaseDn: BASE, ...fields })
const refused = { status: 403, text: '{"code":"wrong-credentials","detail":{}}' }
const away = { status: 503, text: expect.stringContaining('directory-away') }

/** A client of the library as it comes, without what Satchel does around it. */
async function bare<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ url: `ldap://127.0.0.1:${slapd.port}`, timeout: 10_000 })
  try {
    await client.bind(SEARCHER.dn, SEARCHER.password)
    return await work(client)
  } finally {
    await client.unbind()
  }
}

describe('a name', () => {
  const NAMES = [
    '*',
    'a*',
    'ada)(uid=*',
    '*)(objectClass=*',
    'x)(|(cn=*',
    'ada)(!(uid=bob)',
    '*))(|(uid=*',
    '\\2a',
    'ada\0',
    'a\\',
    '(',
    ')',
  ]

  it('that has the characters of a filter is a name that nobody has (L1, CWE-90)', async () => {
    await add()
    const answers = await Promise.all(NAMES.map((name, at) => enter(product, name, 'password of ada', `198.51.100.${at}`)))
    expect(answers).toEqual(NAMES.map(() => refused))
    // As it would be without: the filter finds her by a name that is not hers.
    const found = await bare((client) => client.search(`ou=people,${BASE}`, { filter: `(&(objectClass=inetOrgPerson)(uid=a*))` }))
    expect(found.searchEntries.map(({ dn }) => dn)).toEqual([personDn('ada')])
  })

  it('that has the characters of a distinguished name leads nowhere else (L2)', async () => {
    await add({ bindDn: '', bindPassword: '', bindPattern: `uid={login},ou=people,${BASE}` })
    const names = ['eve,ou=sub', 'ada+cn=ada', `ada,ou=people,${BASE}`, 'ada\\', '"ada"', '#616461', 'ada;ou=people']
    const passwords = ['password of eve', 'password of ada']
    const tries = names.flatMap((name, at) => passwords.map((password) => enter(product, name, password, `198.51.100.${at}`)))
    expect(await Promise.all(tries)).toEqual(tries.map(() => refused))
    // As it would be without: an entry in another place is bound.
    await bare((client) => client.bind(`uid=eve,ou=sub,ou=people,${BASE}`, 'password of eve'))
  })

  it('that two entries have lets neither in', async () => {
    await add({ baseDn: BASE })
    expect(await enter(product, 'ada')).toMatchObject(away)
    expect(product.logged.join('\n')).toContain('several entries')
  })

  it('opens the account of who is bound, not of somebody else whom the filter finds (L3)', async () => {
    await add({ bindDn: '', bindPassword: '', bindPattern: `uid={login},${GUESTS}` })
    expect(await enter(product, 'ada', 'password of the guest')).toEqual(refused)
    // As it would be without: the guest is bound, and the filter finds the other one.
    const found = await bare(async (client) => {
      await client.bind(`uid=ada,${GUESTS}`, 'password of the guest')
      return client.search(`ou=people,${BASE}`, { filter: '(uid=ada)' })
    })
    expect(found.searchEntries.map(({ dn }) => dn)).toEqual([personDn('ada')])
  })
})

describe('a password', () => {
  it('that is empty is refused before anything is sent (L4, CVE-2017-14623, CVE-2022-0730)', async () => {
    await add()
    expect(await enter(product, 'bob')).toMatchObject({ status: 200 })
    const before = slapd.binds()
    expect(await enter(product, 'bob', '')).toEqual(refused)
    expect(await enter(product, 'bob', '\0')).toEqual(refused)
    expect(slapd.binds()).toBe(before)
    // As it would be without: the directory says that it succeeded.
    await bare((client) => client.bind(personDn('bob'), ''))
    expect(slapd.binds()).toBeGreaterThan(before)
  })

  it('of NUL bytes is not sent to a directory that takes it for an empty one (L4)', async () => {
    await using directory = await startStandIn({ entries: [SEARCHER_ENTRY, ADA], anonymous: true })
    await addDirectory(product, fieldsForStandIn(directory))
    for (const answer of await Promise.all(['\0', '\0\0\0', '\0right', 'right\0'].map((password) => enter(product, 'ada', password))))
      expect(answer).toEqual(refused)
    expect(directory.binds).toEqual([])
    expect(await enter(product, 'ada', 'right')).toMatchObject({ status: 200 })
    const client = new Client({ url: `ldap://127.0.0.1:${directory.port}` })
    await client.bind(ADA.dn, '\0')
    await client.unbind()
  })

  it('that was changed in the directory is worth nothing here any more (L5, sftpgo-plugin-auth #5)', async () => {
    await add()
    const set = (password: string) =>
      slapd.modify(`dn: ${personDn('bob')}\nchangetype: modify\nreplace: userPassword\nuserPassword: ${password}\n`)
    expect(await enter(product, 'bob')).toMatchObject({ status: 200 })
    set('another one')
    expect(await enter(product, 'bob')).toEqual(refused)
    expect(await enter(product, 'bob', 'another one')).toMatchObject({ status: 200 })
    set('password of bob')
  })

  it('of this server is not sent to a directory when it is mistyped, nor one that has the same name there', async () => {
    await using directory = await startStandIn({
      entries: [SEARCHER_ENTRY, { ...ADA, attributes: { ...ADA.attributes, sAMAccountName: ['ann'] } }],
    })
    await addDirectory(product, fieldsForStandIn(directory))
    expect(await enter(product, 'ann', `${PASSWORD} `)).toEqual(refused)
    expect(directory.binds.map(({ dn }) => dn)).toEqual(['satchel@example.org'])
    expect(directory.searches).toEqual([])
  })

  it('is guessed at once under all names of a person, from whatever addresses (L6, GHSA-hjj4-hfjm-fmrj)', async () => {
    await add({ userFilter: '(&(objectClass=inetOrgPerson)(|(uid={login})(mail={login})))' })
    const names = ['ada', 'a1@example.org', 'a2@example.org', 'a3@example.org', 'ada@example.org']
    let client = 0
    const guess = async (name: string) => {
      client += 1
      return (await enter(product, name, 'guess', `198.51.${client}.1`)).status
    }
    const answers = await Promise.all([1, 2, 3].flatMap(() => names.map(guess)))
    expect(answers).toContain(429)
    // As it would be if only the names were counted: as many guesses of names that nobody has are all answered.
    const others = await Promise.all([1, 2, 3].flatMap(() => names.map((name) => guess(`x${name}`))))
    expect(new Set(others)).toEqual(new Set([403]))
  })
})

describe('an account', () => {
  it('of this server is not taken over by somebody of the same name or mail address in the directory (L7)', async () => {
    const root = await product.account('root')
    await add()
    expect(await enter(product, 'root', 'password of root')).toEqual(refused)
    // Also not where nobody's password is kept here.
    await product.db.updateTable('users').set({ password_hash: '!' }).where('id', '=', root.id).execute()
    product.restart()
    expect(await enter(product, 'root', 'password of root')).toMatchObject({ status: 403, text: expect.stringContaining('name-taken') })
    expect(await enter(product, 'ROOT', 'password of root')).toMatchObject({ status: 403 })
    expect(
      await product
        .as('root')
        .providers.links({})
        .catch(() => []),
    ).toEqual([])
  })

  it('stays that of the entry, also when somebody else gets its name later (L8)', async () => {
    await add()
    slapd.modify(`dn: ${personDn('carol')}\nchangetype: add\n${person('carol').split('\n').slice(1).join('\n')}`)
    expect(await enter(product, 'carol')).toMatchObject({ status: 200 })
    const { id } = await product.account('carol')
    slapd.modify(`dn: ${personDn('carol')}\nchangetype: modrdn\nnewrdn: uid=carola\ndeleteoldrdn: 1\n`)
    slapd.modify(
      `dn: ${personDn('carol')}\nchangetype: add\n${person('carol', { description: 'another one' }).split('\n').slice(1).join('\n')}`,
    )
    expect(await enter(product, 'carol')).toMatchObject({ status: 403, text: expect.stringContaining('name-taken') })
    const renamed = await enter(product, 'carola', 'password of carol')
    expect(renamed.status).toBe(200)
    const [link] = await product.as('root').providers.links({})
    expect(link).toMatchObject({ userId: id, username: 'carol' })
    slapd.modify(`dn: ${personDn('carola')}\nchangetype: delete\n\ndn: ${personDn('carol')}\nchangetype: delete\n`)
  })

  it('is not made an administrator by a group of the same name elsewhere (L9)', async () => {
    await add({ admin: [groupDn('admins')] })
    expect(await enter(product, 'ada')).toMatchObject({ status: 200 })
    expect(await enter(product, 'bob')).toMatchObject({ status: 200 })
    expect([(await product.account('ada')).perm.admin, (await product.account('bob')).perm.admin]).toEqual([false, true])
  })

  it('of somebody who was removed from the directory does not sign in any more (L10, CVE-2026-45284)', async () => {
    await add()
    slapd.modify(`dn: ${personDn('dan')}\nchangetype: add\n${person('dan').split('\n').slice(1).join('\n')}`)
    const { text: token } = await enter(product, 'dan')
    slapd.modify(`dn: ${personDn('dan')}\nchangetype: delete\n`)
    // Before the comparison, the session is still there.
    expect([await enter(product, 'dan'), await statusOf(product, token)]).toEqual([refused, 200])
    await product.as('root').directories.check({ params: { id: 'corp' } })
    expect(await statusOf(product, token)).toBe(401)
    // The same name again is somebody else.
    slapd.modify(`dn: ${personDn('dan')}\nchangetype: add\n${person('dan').split('\n').slice(1).join('\n')}`)
    expect(await enter(product, 'dan')).toMatchObject({ status: 403, text: expect.stringContaining('name-taken') })
    slapd.modify(`dn: ${personDn('dan')}\nchangetype: delete\n`)
  })
})

const GUID = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
const SEARCHER_ENTRY: Entry = {
  dn: `cn=satchel,${BASE}`,
  attributes: {},
  password: SEARCHER.password,
  alsoKnownAs: ['satchel@example.org'],
}
const ADA: Entry = {
  dn: `CN=Ada Lee,OU=People,${BASE}`,
  attributes: { objectClass: ['user'], objectGUID: [GUID], sAMAccountName: ['ada'] },
  password: 'right',
}

describe('a directory', () => {
  it('that refers to another server is not followed there (L11)', async () => {
    await using other = await startStandIn({ entries: [SEARCHER_ENTRY, ADA] })
    await using directory = await startStandIn({ entries: [SEARCHER_ENTRY, ADA], references: [`ldap://127.0.0.1:${other.port}/${BASE}`] })
    await addDirectory(product, fieldsForStandIn(directory))
    expect(await enter(product, 'ada', 'right')).toMatchObject({ status: 200 })
    expect(await enter(product, 'eve', 'right')).toEqual(refused)
    expect(other.connections()).toBe(0)
  })

  for (const silent of ['always', 'search'] as const)
    it(`that never answers (${silent}) keeps nobody else waiting (L12)`, async () => {
      await using directory = await startStandIn({ entries: [SEARCHER_ENTRY, ADA], silent })
      await addDirectory(product, fieldsForStandIn(directory))
      let isAnswered = false
      const waiting = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((at) => enter(product, `ada${at}`, 'right', `198.51.100.${at}`))).finally(
        () => (isAnswered = true),
      )
      expect(await enter(product, 'ann', PASSWORD)).toMatchObject({ status: 200 })
      expect(isAnswered).toBe(false)
      for (const answer of await waiting) expect(answer).toMatchObject(away)
      // Four at a time, and the others were told at once.
      expect(directory.connections()).toBe(4)
      expect(await enter(product, 'ada', 'right')).toMatchObject(away)
      expect(directory.connections()).toBe(4)
    })

  it('with a huge group is asked for names of groups only, and with too many groups lets nobody in half (L13)', async () => {
    const everybody = Array.from({ length: 100_000 }, (_, at) => `CN=Person ${at},OU=People,${BASE}`)
    const huge: Entry = { dn: `CN=All,${BASE}`, attributes: { objectClass: ['group'], member: [ADA.dn, ...everybody] } }
    const many = Array.from({ length: 2001 }, (_, at): Entry => ({
      dn: `CN=Group ${at},${BASE}`,
      attributes: { objectClass: ['group'], member: [ADA.dn] },
    }))
    {
      await using directory = await startStandIn({ entries: [SEARCHER_ENTRY, ADA, huge] })
      await addDirectory(product, { ...fieldsForStandIn(directory), admin: [huge.dn] })
      expect(await enter(product, 'ada', 'right')).toMatchObject({ status: 200 })
      expect((await product.account('ada')).perm.admin).toBe(true)
    }
    await product.as('root').directories.remove({ params: { id: 'corp' }, body: {} })
    await using directory = await startStandIn({ entries: [SEARCHER_ENTRY, ADA, ...many] })
    await addDirectory(product, fieldsForStandIn(directory))
    expect(await enter(product, 'ada', 'right')).toMatchObject(away)
    expect(product.logged.join('\n')).toContain('more than 2000 groups')
  })

  it('that sends without end is cut off (L13)', async () => {
    const flood = (socket: Socket): void => {
      // The beginning of a message of two gigabytes.
      socket.write(Buffer.from('30847fffffff', 'hex'))
      const more = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(1024 * 1024)));
        if (!socket.destroyed) socket.once('drain', more)
      }
      more()
    }
    await using directory = await startStandIn({ speak: flood })
    await addDirectory(product, fieldsForStandIn(directory))
    expect(await enter(product, 'ada', 'right')).toMatchObject(away)
  })

  it('with a certificate of another authority or another name gets no password (L14)', async () => {
    const tls = { cert: readFileSync(certificates.cert, 'utf8'), key: readFileSync(certificates.key, 'utf8') }
    await using directory = await startStandIn({ entries: [SEARCHER_ENTRY, ADA], tls })
    const trusting = { ...fieldsForStandIn(directory), plaintext: false, ca: certificates.ca }
    for (const fields of [
      { urls: [`ldaps://127.0.0.1:${directory.port}`], ca: slapd.ca },
      { urls: [`ldaps://127.0.0.1:${directory.port}`], ca: '' },
      { urls: [`ldaps://127.0.0.2:${directory.port}`] },
      { urls: [`ldaps://other.localhost:${directory.port}`] },
    ]) {
      await addDirectory(product, { ...trusting, ...fields })
      expect(await enter(product, 'ada', 'right')).toMatchObject(away)
      await product.as('root').directories.remove({ params: { id: 'corp' }, body: {} })
    }
    expect(directory.binds).toEqual([])
    await addDirectory(product, { ...trusting, urls: [`ldaps://localhost:${directory.port}`] })
    expect(await enter(product, 'ada', 'right')).toMatchObject({ status: 200 })
    // As it would be without a check of the certificate.
    const client = new Client({ url: `ldaps://127.0.0.1:${directory.port}`, tlsOptions: { rejectUnauthorized: false } })
    await client.bind(ADA.dn, 'right')
    await client.unbind()
  })

  it('that refuses StartTLS gets no password (L15)', async () => {
    const said: Buffer[] = []
    const refuse = (socket: Socket, bytes: Buffer): void => {
      said.push(bytes)
      socket.write(sequence(integer(1), element(0x78, integer(2, 0x0a), text(''), text('no TLS here'))))
    }
    await using directory = await startStandIn({ speak: refuse })
    await addDirectory(product, { ...fieldsForStandIn(directory), plaintext: false, startTls: true })
    expect(await enter(product, 'ada', 'right')).toMatchObject(away)
    const all = Buffer.concat(said)
    expect(elementsIn(all).elements).toHaveLength(1)
    expect(all.includes(SEARCHER.password) || all.includes('right')).toBe(false)
  })

  it('is not believed what was put behind its answer to StartTLS, before TLS (L16, response injection)', async () => {
    await using attacker = await startInterceptor(certificates, { inject: true })
    const fields = {
      urls: [`ldap://localhost:${attacker.port}`],
      plaintext: false,
      startTls: true,
      ca: certificates.ca,
      bindDn: '',
      bindPassword: '',
      bindPattern: ADA.dn.replace('Ada Lee', '{login}'),
    }
    await addDirectory(product, { ...fieldsForStandIn(attacker), ...fields })
    expect(await enter(product, 'Ada Lee', 'wrong')).toMatchObject(away)
    expect(product.logged.join('\n')).toContain('behind the answer to StartTLS')
    // As it would be without: the library takes the wrong password for the right one.
    const client = new Client({ url: `ldap://localhost:${attacker.port}`, timeout: 10_000 })
    await client.startTLS({ ca: certificates.ca, host: 'localhost', servername: 'localhost' })
    await client.bind(ADA.dn, 'wrong')
    await client.unbind()
    // And where nothing was put there, it is refused by both.
    await using honest = await startInterceptor(certificates, { inject: false })
    const other = new Client({ url: `ldap://localhost:${honest.port}`, timeout: 10_000 })
    await other.startTLS({ ca: certificates.ca, host: 'localhost', servername: 'localhost' })
    expect(other.bind(ADA.dn, 'wrong')).rejects.toThrow()
    await other.unbind()
  })
})

/** A directory with StartTLS that refuses every bind; somebody on the way may put something behind its answer. */
async function startInterceptor({ cert, key }: Certificates, { inject }: { inject: boolean }) {
  const tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  const refusal = (id: number) => sequence(integer(id), element(0x61, integer(49, 0x0a), text(''), text('')))
  const upgrade = (socket: Socket, bytes: Buffer): void => {
    const [message] = elementsIn(bytes).elements
    if (message === undefined) return
    const id = elementsIn(message.bytes).elements[0]?.bytes[0] ?? 0
    const answer = sequence(integer(id), element(0x78, integer(0, 0x0a), text(''), text('')))
    // The beginning of “the bind with the next number succeeded”, which what comes by TLS completes.
    const success = Buffer.concat([integer(id + 1), element(0x61, integer(0, 0x0a), text(''), text(''))])
    const rest = refusal(id + 1).length
    const injected = Buffer.concat([Buffer.from([0x30, success.length + rest]), success])
    socket.removeAllListeners('data')
    socket.write(inject ? Buffer.concat([answer, injected]) : answer)
    const secure = new TLSSocket(socket, { isServer: true, ...tls })
    secure.on('error', () => undefined)
    secure.on('data', (data: Buffer) => {
      const [asked] = elementsIn(data).elements
      const number = asked === undefined ? 0 : (elementsIn(asked.bytes).elements[0]?.bytes[0] ?? 0)
      secure.write(refusal(number))
    })
  }
  return startStandIn({ speak: upgrade })
}

describe('what a refusal tells', () => {
  it('is the same for an unknown name, a wrong password and an account that is disabled, locked or expired (L17)', async () => {
    const entries = [
      SEARCHER_ENTRY,
      ADA,
      ...['530', '532', '533', '701', '773', '775'].map((code, at): Entry => ({
        dn: `CN=${code},${BASE}`,
        attributes: { objectClass: ['user'], objectGUID: [Buffer.alloc(16, at + 1)], sAMAccountName: [`x${code}`] },
        password: 'right',
        bindCode: code,
      })),
      {
        dn: `CN=off,${BASE}`,
        attributes: { objectClass: ['user'], objectGUID: [Buffer.alloc(16, 99)], sAMAccountName: ['off'], userAccountControl: ['514'] },
        password: 'right',
      },
    ]
    await using directory = await startStandIn({ entries })
    await addDirectory(product, fieldsForStandIn(directory))
    const names = ['nobody', 'ada', 'off', 'x530', 'x532', 'x533', 'x701', 'x773', 'x775']
    const answers = await Promise.all(names.map((name, at) => enter(product, name, name === 'ada' ? 'wrong' : 'right', `198.51.100.${at}`)))
    expect(answers).toEqual(names.map(() => refused))
    // An administrator who tries it learns more.
    const tried = await product.as('root').directories.try({ params: { id: 'corp' }, body: { username: 'x773', password: 'right' } })
    expect(tried.steps.at(-1)).toMatchObject({
      step: 'password',
      ok: false,
      detail: expect.stringContaining('the password must be changed first'),
    })
    expect(tried.problem).toBe('refused')
  })
})

// The library can be used only where the runtime checks certificates.
it('the runtime refuses a certificate of another name', async () => {
  const tls = { cert: readFileSync(certificates.cert, 'utf8'), key: readFileSync(certificates.key, 'utf8') }
  await using directory = await startStandIn({ tls })
  const problem = await new Promise<string>((resolve) => {
    const socket = connectTls({ host: '127.0.0.1', port: directory.port, ca: certificates.ca, servername: 'elsewhere.example' }, () =>
      resolve('trusted'),
    )
    socket.on('error', (error) => resolve(String((error as NodeJS.ErrnoException).code)))
  })
  expect(problem).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
})
