import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { type MailServer, secretIn, startMailServer } from '../mail-server.ts'
import { refusal } from './trash-calls.ts'
import { until } from './until.ts'
import { onEachStorage, PASSWORD, type Product } from './world.ts'

const OTHER = 'another long password'

onEachStorage((product) => {
  const root = () => product().as('root')
  const id = async (name: string) => String((await product().account(name)).id)
  const logIn = async (username: string, password: string) =>
    (
      await product().ask('/api/login', {
        method: 'POST',
        body: JSON.stringify({ username, password }),
        headers: { 'content-type': 'application/json' },
      })
    ).status
  const visitor = () => product().as('visitor')

  describe('an invitation', () => {
    it('lets a new user choose a password, once; without mail the administrator copies the link', async () => {
      const data = { username: 'new', password: '', scope: '/new', perm: {} }
      await root().users.create({ body: { what: 'user', data, without_password: true } })
      expect(await logIn('new', '!')).toBe(403)
      const { secret, mailedTo } = await root().passwordLinks.create({ params: { id: await id('new') }, body: { mail: true } })
      expect(mailedTo).toBe(null)
      expect(await visitor().passwordLinks.read({ body: { secret } })).toMatchObject({ kind: 'invitation', username: 'new' })
      expect(await refusal(visitor().passwordLinks.use({ body: { secret, password: 'short' } }))).toBe('invalid-input')
      expect(await refusal(visitor().passwordLinks.use({ body: { secret } }))).toBe('invalid-input')
      await visitor().passwordLinks.use({ body: { secret, password: OTHER } })
      expect(await logIn('new', OTHER)).toBe(200)
      expect(await refusal(visitor().passwordLinks.use({ body: { secret, password: OTHER } }))).toBe('not-found')
      expect(await refusal(visitor().passwordLinks.read({ body: { secret } }))).toBe('not-found')
    })

    it('goes by mail in the language of the account', async () => {
      await using server = await startMailServer()
      await useMailServer(product(), server)
      const data = { username: 'Zoë', password: '', scope: '/z', perm: {}, locale: 'ar' }
      await root().users.create({ body: { what: 'user', data, without_password: true } })
      const params = { id: await id('Zoë') }
      await root().mail.setAddress({ params, body: { address: 'zoe@example.org' } })
      expect((await root().passwordLinks.create({ params, body: { mail: true } })).mailedTo).toBe('zoe@example.org')
      await until(async () => server.arrived.length === 1)
      const [mail] = server.arrived
      expect(mail?.to).toEqual(['zoe@example.org'])
      expect(mail?.subject).toBe('حسابك على Satchel')
      expect(mail?.text).toContain('Zoë')
      expect(mail?.raw).toContain('Auto-Submitted: auto-generated')
      expect(mail?.text).toContain('https://files.example.org/password#')
      await visitor().passwordLinks.use({ body: { secret: secretIn(mail ?? { to: [], raw: '', text: '', subject: '' }), password: OTHER } })
      expect(await logIn('Zoë', OTHER)).toBe(200)
      // The job ends only after the mail server has answered.
      await until(async () => (await root().mail.get({})).sent[0]?.state === 'done')
      const { sent } = await root().mail.get({})
      expect(sent[0]).toMatchObject({ to: 'zoe@example.org', about: 'invitation' })
      // What is kept says neither the text nor the secret.
      expect(JSON.stringify(await product().db.selectFrom('jobs').selectAll().execute())).not.toContain(
        secretIn(mail ?? { to: [], raw: '', text: '', subject: '' }),
      )
    })
  })

  describe('a share with people', () => {
    it('is told by mail to those with an address, without what is shared; changing it tells nobody again', async () => {
      await using server = await startMailServer()
      await useMailServer(product(), server)
      await product().seed({ '/secret plan/a.txt': 'a' })
      await product().add('ben')
      const { id: group } = await root().groups.create({ body: { name: 'team' } })
      for (const name of ['ann', 'ben', 'root'])
        await root().groups.addMember({ params: { id: String(group), user: await id(name) }, body: {} })
      await root().mail.setAddress({ params: { id: await id('ben') }, body: { address: 'ben@example.org' } })
      const share = (who: { kind: 'user' | 'group'; id: number }) =>
        product()
          .as('ann')
          .peopleShares.create({ params: { path: at('/secret plan') }, body: { who, role: 'viewer' } })
      await share({ kind: 'group', id: group })
      await until(async () => server.arrived.length === 1)
      expect(server.arrived[0]).toMatchObject({ to: ['ben@example.org'], subject: 'ann shared something with you on Satchel' })
      expect(server.arrived[0]?.text).toContain('https://files.example.org/with-me')
      expect(server.arrived[0]?.raw).not.toContain('plan')
      await share({ kind: 'group', id: group })
      await share({ kind: 'user', id: Number(await id('ben')) })
      await until(async () => server.arrived.length === 2)
      await until(
        async () => (await root().mail.get({})).sent.filter(({ about, state }) => about === 'shared' && state === 'done').length === 2,
      )
      expect(server.arrived.length).toBe(2)
    })
  })

  describe('a forgotten password', () => {
    it('by name or address: the link changes it, ends all sessions and all other links, and the owner is told', async () => {
      await using server = await startMailServer()
      await useMailServer(product(), server)
      await root().mail.setAddress({ params: { id: await id('ann') }, body: { address: 'Ann@example.org' } })
      const token = await product().signIn('ann')
      await visitor().passwordLinks.ask({ body: { username: 'ANN@EXAMPLE.org', locale: 'de' } })
      await until(async () => server.arrived.length === 1)
      const [mail] = server.arrived
      const secret = secretIn(mail ?? { to: [], raw: '', text: '', subject: '' })
      const { secret: second } = await root().passwordLinks.create({ params: { id: await id('ann') }, body: { mail: false } })
      await visitor().passwordLinks.use({ body: { secret, password: OTHER } })
      expect([await logIn('ann', PASSWORD), await logIn('ann', OTHER)]).toEqual([403, 200])
      expect((await product().ask('/api/resources/', { headers: { 'x-auth': token } })).status).toBe(401)
      expect(await refusal(visitor().passwordLinks.use({ body: { secret: second, password: PASSWORD } }))).toBe('not-found')
      await until(async () => server.arrived.length === 2)
      expect(server.arrived[1]?.subject).toContain('password')
    })

    it('tells nobody which names and addresses exist, and sends one mail in five minutes', async () => {
      await using server = await startMailServer()
      await useMailServer(product(), server)
      await root().mail.setAddress({ params: { id: await id('ann') }, body: { address: 'ann@example.org' } })
      for (const username of ['ann', 'nobody', 'root', 'ann', 'no@example.org'])
        expect(await visitor().passwordLinks.ask({ body: { username } })).toBe(undefined)
      await until(async () => server.arrived.length === 1)
      product().pass(5 * 60_000 + 1)
      await visitor().passwordLinks.ask({ body: { username: 'ann' } })
      await until(async () => server.arrived.length === 2)
    })

    it('has no effect for those who may not choose their password, or where the administrator switched it off', async () => {
      await using server = await startMailServer()
      await useMailServer(product(), server)
      await product().add('locked')
      await root().users.update({
        params: { id: await id('locked') },
        body: { what: 'user', which: ['lockPassword'], data: { lockPassword: true } },
      })
      for (const name of ['locked', 'ann'])
        await root().mail.setAddress({ params: { id: await id(name) }, body: { address: `${name}@example.org` } })
      await visitor().passwordLinks.ask({ body: { username: 'locked' } })
      await product().world.settings.change((before) => ({ ...before, mail: { ...before.mail, reset: false } }))
      await visitor().passwordLinks.ask({ body: { username: 'ann' } })
      await Bun.sleep(200)
      expect(server.arrived).toEqual([])
    })

    it('a link ends with its time, a changed password, and a disabled account', async () => {
      const params = { id: await id('ann') }
      const link = async () => (await root().passwordLinks.create({ params, body: { mail: false, current_password: PASSWORD } })).secret
      const state = (secret: string) => refusal(visitor().passwordLinks.read({ body: { secret } }))
      const old = await link()
      product().pass(3600_001)
      expect(await state(old)).toBe('not-found')
      const before = await link()
      await root().users.update({
        params,
        body: { what: 'user', which: ['password'], data: { password: OTHER }, current_password: PASSWORD },
      })
      expect(await state(before)).toBe('not-found')
      const disabled = await link()
      expect(await state(disabled)).toBe('none')
      await root().users.update({
        params,
        body: { what: 'user', which: ['disabled'], data: { disabled: true }, current_password: PASSWORD },
      })
      expect(await state(disabled)).toBe('not-found')
    })
  })

  describe('an address', () => {
    it('of a user counts when they have confirmed it by the link that was sent there', async () => {
      await using server = await startMailServer()
      await useMailServer(product(), server)
      const params = { id: await id('ann') }
      const ann = product().as('ann')
      expect(await ann.mail.setAddress({ params, body: { address: 'ann@example.org' } })).toMatchObject({
        address: '',
        waiting: 'ann@example.org',
      })
      await until(async () => server.arrived.length === 1)
      // Until then nothing else goes there.
      await visitor().passwordLinks.ask({ body: { username: 'ann' } })
      const [mail] = server.arrived
      const secret = secretIn(mail ?? { to: [], raw: '', text: '', subject: '' })
      expect(await visitor().passwordLinks.read({ body: { secret } })).toMatchObject({ kind: 'address', address: 'ann@example.org' })
      await visitor().passwordLinks.use({ body: { secret } })
      expect(await ann.mail.address({ params })).toMatchObject({ address: 'ann@example.org', waiting: '' })
      expect(server.arrived).toHaveLength(1)
      // A link for an address changes no password.
      expect(await logIn('ann', PASSWORD)).toBe(200)
    })

    it('is its owner’s and administrators’ affair, and has no line ends', async () => {
      const params = { id: await id('root') }
      expect(await refusal(product().as('ann').mail.address({ params }))).toBe('forbidden')
      expect(
        await refusal(
          product()
            .as('ann')
            .mail.setAddress({ params, body: { address: 'ann@example.org' } }),
        ),
      ).toBe('forbidden')
      for (const address of [
        'ann',
        'a@b@c',
        'ann@example.org\r\nBcc: x@example.org',
        '"a b"@example.org',
        'ann@[127.0.0.1]',
        '<ann@example.org>',
      ])
        expect(await refusal(root().mail.setAddress({ params, body: { address } }))).toBe('invalid-input')
    })
  })

  describe('the mail server', () => {
    const SERVER = {
      host: 'mail.example.org',
      port: 587,
      security: 'starttls' as const,
      username: 'u',
      from: 'files@example.org',
      site: 'https://x.org/',
      reset: true,
    }

    it('keeps its password to itself, and gives it to no other server', async () => {
      await root().mail.update({ body: { ...SERVER, password: 'secret of the server', current_password: PASSWORD } })
      expect((await root().mail.get({})).settings).toEqual({ ...SERVER, quotas: false, site: 'https://x.org', hasPassword: true })
      await root().mail.update({ body: { ...SERVER, reset: false } })
      expect((await root().mail.get({})).settings.hasPassword).toBe(true)
      expect(JSON.stringify(await root().audit.list({ query: {} }))).not.toContain('secret of the server')
      await root().mail.update({ body: { ...SERVER, host: 'mail.attacker.example' } })
      expect((await root().mail.get({})).settings.hasPassword).toBe(false)
    })

    it('is checked field by field', async () => {
      for (const wrong of [{ port: 22 }, { from: 'x' }, { host: 'a b' }, { site: 'javascript:1' }, { security: 'none' as const }])
        expect(await refusal(root().mail.update({ body: { ...SERVER, ...wrong } }))).toBe('invalid-input')
      expect(await refusal(product().as('ann').mail.get({}))).toBe('forbidden')
    })

    it('is tested at once; a refusal is told, and tried again unless it is final', async () => {
      expect(await root().mail.test({ body: { to: 'ann@example.org' } })).toMatchObject({ well: false })
      await using server = await startMailServer()
      await useMailServer(product(), server)
      expect(await root().mail.test({ body: { to: 'ann@example.org' } })).toMatchObject({ well: true })
      expect(server.arrived[0]?.subject).toBe('Test message from Satchel')
      const params = { id: await id('ann') }
      await root().mail.setAddress({ params, body: { address: 'ann@example.org' } })
      server.refusals.push({ code: 550, text: 'no such mailbox' })
      await root().passwordLinks.create({ params, body: { mail: true } })
      await until(async () => (await root().mail.get({})).sent[0]?.state === 'failed')
      expect((await root().mail.get({})).sent[0]?.output).toContain('no such mailbox')
      server.refusals.push({ code: 450, text: 'try later' })
      await root().passwordLinks.create({ params, body: { mail: true } })
      await until(async () => (await root().mail.get({})).sent[0]?.output.includes('try later') === true)
      expect((await root().mail.get({})).sent[0]?.state).toBe('waiting')
    })
  })
})

/** The product sends its mail there. */
async function useMailServer(product: Product, { port }: MailServer): Promise<void> {
  await product.world.settings.change((before) => ({
    ...before,
    mail: { ...before.mail, host: '127.0.0.1', port, security: 'none', from: 'files@example.org', site: 'https://files.example.org' },
  }))
}
