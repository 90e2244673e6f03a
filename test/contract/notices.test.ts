import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import type { ShareInput } from '../../src/shared/contract/shares.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { GATHER_MS, SPACING_MS } from '../../src/server/notices/arrivals.ts'
import { type MailServer, startMailServer } from '../mail-server.ts'
import { until } from './until.ts'
import { deny, EVERYTHING, HOUR_MS, onEachStorage, PASSWORD, type Product } from './world.ts'

setDefaultTimeout(60_000)

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

onEachStorage((product) => {
  const id = async (name: string) => String((await product().account(name)).id)
  const prepare = async (server: MailServer) => {
    product().stopClock()
    await useMailServer(product(), server)
    await product().setScope('ann', '/ann')
    for (const name of ['ann', 'root'])
      await product()
        .as('root')
        .mail.setAddress({ params: { id: await id(name) }, body: { address: `${name}@example.org` } })
  }
  const box = async (wish: ShareInput = {}) => {
    await product().seed({ '/ann/inbox/': '' })
    const body = JSON.stringify({ rights: 'drop', title: 'Wedding', ...wish })
    return (
      await product()
        .as('ann')
        .shares.create({ params: { path: at('/inbox') }, body })
    ).hash
  }
  /** The mail worker looks every fifteen seconds of real time. */
  const wake = () => product().world.mail.mailer.wake()
  const later = (ms: number) => {
    product().pass(ms)
    wake()
  }
  const settled = async () => {
    wake()
    await until(async () => (await product().db.selectFrom('jobs').select('id').where('state', '=', 'running').execute()).length === 0)
  }
  const waiting = async () =>
    (await product().db.selectFrom('jobs').select('id').where('topic', '!=', '').where('state', '=', 'waiting').execute()).length

  describe('files that visitors upload', () => {
    it('are told to the owner of the link in one mail, with names, sizes, the title of the link and the folder, and no link', async () => {
      await using server = await startMailServer()
      await prepare(server)
      const hash = await box()
      for (const [name, text] of [
        ['a.jpg', 'x'.repeat(2048)],
        ['b.jpg', 'xx'],
        ['a.jpg', 'again'],
      ] as const)
        expect(await send(product(), hash, name, text)).toBe(204)
      later(GATHER_MS - 1)
      await settled()
      expect(server.arrived).toEqual([])
      later(1)
      await until(() => server.arrived.length === 1)
      const [mail] = server.arrived
      expect(mail).toMatchObject({ to: ['ann@example.org'], subject: 'New files on Satchel' })
      expect(mail?.text).toContain(
        'Wedding:\n- a.jpg (2 kB)\n- b.jpg (2 bytes)\n- a(1).jpg (5 bytes)\nhttps://files.example.org/files/inbox/\n'.replaceAll(
          '\n',
          '\r\n',
        ),
      )
      expect(mail?.text).toContain('https://files.example.org/settings/profile')
      expect(mail?.raw).not.toContain(hash)
      await until(async () => (await product().db.selectFrom('arrivals').selectAll().execute()).length === 0)

      // The next mail comes half an hour later, however many files arrive.
      for (let n = 0; n < 25; n++) expect(await send(product(), hash, `${n}.txt`, 'x')).toBe(204)
      later(GATHER_MS)
      await settled()
      expect(server.arrived.length).toBe(1)
      later(SPACING_MS)
      await until(() => server.arrived.length === 2)
      expect(server.arrived[1]?.text.match(/^- \d+\.txt/gm)?.length).toBe(20)
      expect(server.arrived[1]?.text).toContain('- and 5 more')
    })

    it('are still told after a restart, and after the mail server was away', async () => {
      await using server = await startMailServer()
      await prepare(server)
      const hash = await box()
      await send(product(), hash, 'a.jpg', 'x')
      product().restart()
      server.refusals.push({ code: 450, text: 'try later' })
      later(GATHER_MS)
      await until(() => server.refusals.length === 0)
      await settled()
      expect(server.arrived).toEqual([])
      await send(product(), hash, 'b.jpg', 'x')
      later(HOUR_MS)
      await until(() => server.arrived.length === 1)
      expect(server.arrived[0]?.text).toContain('a.jpg')
    })

    it('are named only as far as their owner may see them when the mail is made', async () => {
      await using server = await startMailServer()
      await prepare(server)
      const hash = await box()
      const arrive = async () => {
        for (const name of ['shown-1.txt', 'hidden-2.txt', 'moved-3.txt', 'gone-4.txt'])
          expect(await send(product(), hash, name, 'x')).toBe(204)
      }
      await arrive()
      await product().setRules('ann', [deny('/inbox/hidden-2.txt')])
      const ann = product().as('ann')
      await ann.resources.transfer({
        params: { path: at('/inbox/moved-3.txt') },
        query: { action: 'rename', destination: '/elsewhere.txt' },
      })
      await ann.resources.remove({ params: { path: at('/inbox/gone-4.txt') }, query: {} })
      later(GATHER_MS)
      await until(() => server.arrived.length === 1)
      expect(server.arrived[0]?.text).toContain('shown-1.txt')
      for (const name of ['hidden-2', 'moved-3', 'gone-4']) expect(server.arrived[0]?.raw).not.toContain(name)

      // Without the rule the name is there; with one for everything there is no mail, and with another folder neither.
      await product().setRules('ann', [])
      await settled()
      expect(await send(product(), hash, 'hidden-2.txt', 'x')).toBe(204)
      later(SPACING_MS)
      await until(() => server.arrived.length === 2)
      expect(server.arrived[1]?.text).toContain('hidden-2')
      await settled()
      expect(await send(product(), hash, 'hidden-5.txt', 'x')).toBe(204)
      await product().setRules('ann', [deny('/inbox')])
      later(SPACING_MS)
      await until(async () => (await waiting()) === 0)
      await settled()
      await product().setRules('ann', [])
      expect(await send(product(), hash, 'hidden-6.txt', 'x')).toBe(204)
      await product().setScope('ann', '/elsewhere')
      later(SPACING_MS)
      await until(async () => (await waiting()) === 0)
      await settled()
      expect(server.arrived.length).toBe(2)
      expect(await product().db.selectFrom('arrivals').selectAll().execute()).toEqual([])
    })

    it('cannot put headers or markup into the mail by their names', async () => {
      await using server = await startMailServer()
      await prepare(server)
      const hash = await box()
      const name = encodeURIComponent('a\r\nBcc: eve@example.org\r\n\r\n<b onclick=x>\u202Egpj.exe')
      expect(await send(product(), hash, name, 'x')).toBe(204)
      expect(await send(product(), hash, encodeURIComponent(`${'é'.repeat(120)}.jpg`), 'x')).toBe(204)
      later(GATHER_MS)
      await until(() => server.arrived.length === 1)
      const [mail] = server.arrived
      expect(mail?.to).toEqual(['ann@example.org'])
      expect(mail?.raw).not.toMatch(/^Bcc:/m)
      expect(mail?.text).not.toMatch(/^Bcc:|\u202E/m)
      expect(mail?.text).toContain('- a  Bcc: eve@example.org')
      expect(mail?.raw.split('text/html')[1]).toContain('&lt;b onclick')
      expect(mail?.raw.split('text/html')[1]).not.toContain('<b onclick')
    })

    it('are told for shares with people only to owners who want that', async () => {
      await using server = await startMailServer()
      await prepare(server)
      await product().seed({ '/ann/team/': '' })
      await product().add('eve', { scope: '/eve' })
      const ann = product().as('ann')
      const who = { kind: 'user' as const, id: Number(await id('eve')) }
      const share = await ann.peopleShares.create({ params: { path: at('/team') }, body: { who, role: 'editor' } })
      const upload = (name: string) =>
        product().ask(`/with-me/${share.id}/api/resources/${name}`, { who: 'eve', method: 'POST', body: 'x' })
      expect((await upload('a.txt')).status).toBe(200)
      expect(await waiting()).toBe(0)
      expect(await ann.mail.setNotices({ body: { 'arrived-people': true } })).toMatchObject({ arrived: true, 'arrived-people': true })
      expect((await upload('b.txt')).status).toBe(200)
      // What the owner uploads is no news.
      expect((await product().ask('/api/resources/team/own.txt', { who: 'ann', method: 'POST', body: 'x' })).status).toBe(200)
      later(GATHER_MS)
      await until(() => server.arrived.length === 1)
      expect(server.arrived[0]?.text).toContain('team:\r\n- b.txt (1 byte)\r\nhttps://files.example.org/files/team/')
      expect(server.arrived[0]?.text).not.toMatch(/a\.txt|own\.txt/)
    })
  })

  describe('a quota', () => {
    const set = async (bytes: number | null) =>
      product()
        .as('root')
        .quotas.set({ body: { who: { kind: 'user', id: Number(await id('ann')) }, bytes, files: null } })
    const write = (path: string, bytes: number) =>
      product().ask(`/api/resources${path}`, { who: 'ann', method: 'POST', body: 'x'.repeat(bytes) })
    const told = async () =>
      (
        await product()
          .db.selectFrom('quotas')
          .select('told')
          .where('subject', '=', `user ${await id('ann')}`)
          .executeTakeFirst()
      )?.told
    const level = (percent: number) => until(async () => (await told()) === percent)

    it('is told at 80 percent and when it is full, once until it falls below again; to administrators if the settings say so', async () => {
      await using server = await startMailServer()
      await prepare(server)
      await set(1000)
      await product()
        .as('root')
        .quotas.count({ body: { who: { kind: 'user', id: Number(await id('ann')) } } })
      expect((await write('/a', 790)).status).toBe(200)
      expect((await write('/b', 30)).status).toBe(200)
      await level(80)
      await until(() => server.arrived.length === 1)
      expect(server.arrived[0]).toMatchObject({ to: ['ann@example.org'], subject: 'Your space on Satchel is nearly full' })
      expect(server.arrived[0]?.text).toContain('Used: 820 bytes of 1,000 bytes.')
      expect((await write('/c', 50)).status).toBe(200)
      await product().world.settings.change((before) => ({ ...before, mail: { ...before.mail, quotas: true } }))
      expect((await write('/d', 130)).status).toBe(200)
      await level(100)
      await until(() => server.arrived.length === 3)
      const [own, other] = server.arrived.slice(1).toSorted((a, b) => String(a.to).localeCompare(String(b.to)))
      expect(own).toMatchObject({ to: ['ann@example.org'], subject: 'Your space on Satchel is full' })
      expect(other).toMatchObject({ to: ['root@example.org'], subject: 'Used up on Satchel: ann' })

      await product()
        .as('ann')
        .resources.remove({ params: { path: at('/a') }, query: {} })
      await level(0)
      await settled()
      product().pass(HOUR_MS)
      expect((await write('/a', 600)).status).toBe(200)
      await level(80)
      wake()
      await until(() => server.arrived.length === 5)
      expect(
        server.arrived
          .slice(3)
          .map(({ subject }) => subject)
          .toSorted(),
      ).toEqual(['Nearly used up on Satchel: ann', 'Your space on Satchel is nearly full'])
    })

    it('that is filled and emptied again and again fills no mailbox', async () => {
      await using server = await startMailServer()
      await prepare(server)
      await set(1000)
      await product()
        .as('root')
        .quotas.count({ body: { who: { kind: 'user', id: Number(await id('ann')) } } })
      for (let n = 0; n < 3; n++) {
        expect((await write('/a', 850)).status).toBe(200)
        await level(80)
        await product()
          .as('ann')
          .resources.remove({ params: { path: at('/a') }, query: {} })
        await level(0)
      }
      await settled()
      expect(server.arrived.length).toBeLessThanOrEqual(1)
    })
  })

  describe('a sign-in', () => {
    const signIn = async ({ agent = BROWSER, cookie = '' } = {}) => {
      const response = await product().ask('/api/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-satchel-web': '1', 'user-agent': agent, ...(cookie !== '' && { cookie }) },
        body: JSON.stringify({ username: 'ann', password: PASSWORD }),
      })
      expect(response.status).toBe(200)
      const lines = response.headers.getSetCookie()
      return lines.find((line) => line.startsWith('satchel-browser=')) ?? ''
    }

    it('from a new device is told, with time, device and address; one from a known browser is not', async () => {
      await using server = await startMailServer()
      await prepare(server)
      const line = await signIn()
      expect(line).toMatch(/^satchel-browser=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/)
      const [cookie = ''] = line.split(';')
      // The first one of an account; the same browser under another name; the same without its cookies, after an update.
      expect(await signIn({ cookie, agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' })).toBe('')
      await signIn({ agent: BROWSER.replaceAll('140', '141') })
      await settled()
      expect(server.arrived).toEqual([])
      await signIn({ agent: 'Mozilla/5.0 (iPhone) Version/18.0 Mobile Safari/604.1' })
      await until(() => server.arrived.length === 1)
      const [mail] = server.arrived
      expect(mail).toMatchObject({ to: ['ann@example.org'], subject: 'New sign-in to your account on Satchel' })
      expect(mail?.text).toMatch(/Device: Safari · iOS\r\nAddress: (192\.0\.2\.7|127\.0\.0\.1)\r\n/)
      expect(mail?.text).toContain('https://files.example.org/settings/profile#devices')
      // From now on it is known.
      await signIn({ agent: 'Mozilla/5.0 (iPhone) Version/18.0 Mobile Safari/604.1' })
      await product().world.settings.change((before) => ({ ...before, activityAddresses: false }))
      await settled()
      await product().world.tidy()
      expect(JSON.stringify(await product().db.selectFrom('jobs').selectAll().execute())).not.toMatch(/192\.0\.2\.7|127\.0\.0\.1/)
      await signIn({ agent: 'evil<b>/1 (X11) \u00e9' })
      await until(() => server.arrived.length === 2)
      expect(server.arrived[1]?.text).not.toMatch(/Address|<b>/)
      expect(server.arrived[1]?.text).toContain('Device: evil · Linux\r\n')
    })

    it('in a loop, each time as another device, fills no mailbox', async () => {
      await using server = await startMailServer()
      await prepare(server)
      for (let n = 0; n < 12; n++) await signIn({ agent: `program-${n}/1` })
      await until(() => server.arrived.length === 5)
      await settled()
      expect(server.arrived.length).toBe(5)
    })
  })

  describe('each kind', () => {
    it('can be switched off by each person for themselves, also after the mail was planned', async () => {
      await using server = await startMailServer()
      await prepare(server)
      const ann = product().as('ann')
      const hash = await box()
      await send(product(), hash, 'a.jpg', 'x')
      expect(await ann.mail.notices({})).toEqual({ arrived: true, 'arrived-people': false, shared: true, quota: true, device: true })
      expect(await ann.mail.setNotices({ body: { arrived: false, shared: false } })).toMatchObject({
        arrived: false,
        shared: false,
        quota: true,
      })
      later(GATHER_MS)
      await until(async () => (await waiting()) === 0)
      await product().seed({ '/x/': '' })
      const who = { kind: 'user' as const, id: Number(await id('ann')) }
      await product()
        .as('root')
        .peopleShares.create({ params: { path: at('/x') }, body: { who, role: 'viewer' } })
      await send(product(), hash, 'b.jpg', 'x')
      expect(await waiting()).toBe(0)
      await settled()
      expect(server.arrived).toEqual([])
      expect((await product().as('root').mail.notices({})).arrived).toBe(true)
      await product().setRights('ann', EVERYTHING)
      const strange = { method: 'PUT', who: 'ann', body: '{"other":true}', headers: { 'content-type': 'application/json' } }
      expect((await product().ask('/api/mail/notices', strange)).status).toBe(400)
    })

    it('leaves nothing behind where no mail is sent', async () => {
      await product().setScope('ann', '/ann')
      const hash = await box()
      await send(product(), hash, 'a.jpg', 'x')
      const { cookie } = await product().signInWeb('ann')
      expect(cookie).not.toContain('browser')
      for (const table of ['arrivals', 'known_devices'] as const)
        expect(await product().db.selectFrom(table).selectAll().execute()).toEqual([])
      expect(await waiting()).toBe(0)
    })
  })
})

/** A whole file of a visitor; the status of the last answer. @param name percent-encoded */
async function send(product: Product, hash: string, name: string, bytes: string): Promise<number> {
  const address = `/api/public/tus/${hash}/${crypto.randomUUID()}/${name}`
  const head = { 'tus-resumable': TUS_VERSION }
  const begun = await product.ask(address, { method: 'POST', headers: { ...head, 'upload-length': String(Buffer.byteLength(bytes)) } })
  if (begun.status !== 201) return begun.status
  const headers = { ...head, 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }
  return (await product.ask(address, { method: 'PATCH', headers, body: bytes })).status
}

/** The product sends its mail there. */
async function useMailServer(product: Product, { port }: MailServer): Promise<void> {
  await product.world.settings.change((before) => ({
    ...before,
    mail: { ...before.mail, host: '127.0.0.1', port, security: 'none', from: 'files@example.org', site: 'https://files.example.org' },
  }))
}
