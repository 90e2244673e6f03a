import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { cutTo } from '../../src/server/access/token-access.ts'
import type { Viewer } from '../../src/server/access/viewer.ts'
import { presentedTokenIn } from '../../src/server/http/presented-token.ts'
import { accessOf } from '../../src/server/users/access-of.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { ALL_RIGHTS, NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { basic, clientWith, makeToken, type MadeToken, only } from './token-world.ts'
import { PASSWORD, type Product, startProduct, withToken } from './world.ts'

/** Each attack succeeds as soon as the mechanism that stops it is left out. */
let product: Product
beforeEach(async () => {
  product = await startProduct()
  await product.seed({ '/secret.txt': 'secret', '/inbox/a.txt': 'a', '/inbox/sub/b.txt': 'b', '/other/c.txt': 'c' })
})
afterEach(() => product[Symbol.asyncDispose]())

async function viewerOf({ token: secret }: MadeToken): Promise<Viewer> {
  const viewer = await product.world.identifyToken({ secret, username: null }, { address: null })
  if (viewer === null) throw new Error('the token is not known')
  return viewer
}

describe('with an API token nobody', () => {
  it('gets out of its folder, by any path; without the cut they do', async () => {
    await product.link('inbox/out', '../secret.txt')
    const made = await makeToken(product, 'ann', { folder: '/inbox' })
    const client = clientWith(product, made.token)
    for (const path of ['/secret.txt', '/inbox/a.txt', '/out', '/sub/out'])
      expect((await product.ask(`/api/raw${path}`, withToken({}, made.token))).status).not.toBe(200)
    for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/sub/..%2f..%2fsecret.txt', '/sub%2f..%2f..%2fsecret.txt'])
      expect([400, 404]).toContain((await product.ask(`/api/raw${path}`, withToken({}, made.token))).status)
    const move = { params: { path: at('/a.txt') }, query: { action: 'rename' as const, destination: '%2F..%2Fstolen.txt' } }
    await expect(client.resources.transfer(move)).rejects.toMatchObject({
      code: expect.stringMatching(/invalid-input|not-found/) as string,
    })
    // The same person without the cut.
    const account = await product.account('ann')
    const whole = accessOf(account, await product.world.settings.read(), await product.world.grantedTo(account.id))
    expect((await product.world.driveFor(whole).stat(at('/secret.txt'))).stat.size).toBe(6)
    await expect(
      product.world.driveFor(cutTo(whole, { perm: ALL_RIGHTS, folder: at('/inbox') })).stat(at('/secret.txt')),
    ).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  it('creates in a folder, with a token that only downloads, where a group may create; where the cut is left out they do', async () => {
    const root = product.as('root')
    const { id } = await product.add('eve', { may: { ...NO_RIGHTS, share: true, download: true } })
    const group = await root.groups.create({ body: { name: 'senders' } })
    await root.groups.addMember({ params: { id: String(group.id), user: String(id) }, body: {} })
    const grant = { who: { kind: 'group' as const, id: group.id }, path: '/inbox' }
    await root.grants.set({ body: { ...grant, rights: ['create', 'share', 'download'] } })
    const status = async ({ token }: MadeToken, path: string): Promise<number> =>
      (await product.ask(`/api/resources${path}`, withToken({ method: 'POST', body: 'new' }, token))).status
    const reading = await makeToken(product, 'eve', { perm: only('download') })
    const here = await makeToken(product, 'eve', { perm: only('download', 'share'), folder: '/inbox' })
    expect(await status(reading, '/inbox/new.txt')).toBe(403)
    expect(await status(here, '/new.txt')).toBe(403)
    await expect(product.world.shares.create(await viewerOf(here), at('/'), { rights: 'drop' })).rejects.toMatchObject({
      code: 'forbidden',
    })

    // The same person without the cut.
    const account = await product.account('eve')
    const whole = accessOf(account, await product.world.settings.read(), await product.world.grantedTo(id))
    expect((await product.world.driveFor(whole).rights(at('/inbox'))).create).toBe(true)
    expect(
      (await product.world.driveFor(cutTo(whole, { perm: reading.perm, folder: at(reading.folder) })).rights(at('/inbox'))).create,
    ).toBe(false)

    // A token may have what its person may do somewhere, and has it there.
    const sending = await makeToken(product, 'eve', { perm: only('create') })
    const sendingHere = await makeToken(product, 'eve', { perm: only('create'), folder: '/inbox' })
    await expect(makeToken(product, 'eve', { perm: only('create'), folder: '/other' })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await status(sending, '/other/new.txt')).toBe(403)
    expect(await status(sending, '/inbox/one.txt')).toBe(200)
    expect(await status(sendingHere, '/two.txt')).toBe(200)
    await root.groups.removeMember({ params: { id: String(group.id), user: String(id) }, body: {} })
    expect(await status(sending, '/inbox/three.txt')).toBe(403)
    expect(await status(sendingHere, '/three.txt')).toBe(403)
  })

  it('lends rights to visitors that the token lacks; where its links are not limited they do (NC-SA-2017-001)', async () => {
    const made = await makeToken(product, 'ann', { perm: only('share', 'download') })
    const viewer = await viewerOf(made)
    const path = at('/inbox')
    await expect(product.world.shares.create(viewer, path, { rights: 'edit' })).rejects.toMatchObject({ code: 'forbidden' })
    const { token: _token, ...unlimited } = viewer
    const { hash } = await product.world.shares.create(unlimited, path, { rights: 'edit' })
    await product.as('visitor').shared.rename({ params: { hash, path: at('/a.txt') }, body: { name: 'renamed.txt' } })
    expect(await product.read('/inbox/renamed.txt')).toBe('a')
  })

  it('proves to be the person, even with the password; where it is no token it proves that (I17)', async () => {
    const viewer = await viewerOf(await makeToken(product, 'root', { perm: ALL_RIGHTS }))
    const proof = { address: null, password: PASSWORD }
    const { sessions } = product.world
    await expect(sessions.requireProof({ viewer, ...proof })).rejects.toMatchObject({ code: 'forbidden', detail: { right: 'token' } })
    const { token: _token, ...signedIn } = viewer
    await sessions.requireProof({ viewer: signedIn, ...proof })
  })

  it('is sent by a browser for a page of another origin; where its origin is not asked it counts (A2)', async () => {
    const { token } = await makeToken(product, 'ann')
    const headers = { ...basic('ann', token), 'sec-fetch-site': 'same-site', origin: 'http://other.satchel.test' }
    const init = { method: 'DELETE', headers }
    expect((await product.ask('/api/resources/secret.txt', init)).status).toBe(403)
    expect(await product.read('/secret.txt')).toBe('secret')
    expect(presentedTokenIn(new Request('http://satchel.test/', init), { sender: 'unstated' })).toEqual({ secret: token, username: 'ann' })
    const { 'sec-fetch-site': _site, origin: _origin, ...unstated } = headers
    expect((await product.ask('/api/resources/secret.txt', { method: 'DELETE', headers: unstated })).status).toBe(200)
  })

  it('learns whether a token exists: unknown, ended and revoked ones, and those of disabled people, get one answer', async () => {
    const ended = await makeToken(product, 'ann', { expires: Date.now() + 1000 })
    const revoked = await makeToken(product, 'ann')
    const others = await makeToken(product, 'ann')
    await product.as('ann').tokens.remove({ params: { id: revoked.id } })
    product.pass(2000)
    const answerTo = async (headers: Record<string, string>) => {
      const response = await product.ask('/api/resources/', { headers, from: { peer: '203.0.113.9' } })
      return [response.status, response.headers.get('www-authenticate'), await response.text()]
    }
    const unknown = await answerTo({ 'x-auth': `${ended.token.slice(0, -2)}zz` })
    expect(unknown[0]).toBe(401)
    for (const headers of [
      { 'x-auth': ended.token },
      { 'x-auth': revoked.token },
      basic('root', others.token),
      basic('nobody', others.token),
    ])
      expect(await answerTo(headers)).toEqual(unknown)
  })
})
