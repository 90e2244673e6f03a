import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { speak } from './wire.ts'
import { deny, EVERYTHING, HOUR_MS, PASSWORD, startProduct } from './world.ts'

describe('addresses in the spelling of the predecessor’s clients', () => {
  it('S2: an encoded slash after a hash or a call is a slash, decoded once', async () => {
    await using product = await startProduct()
    await product.seed({ '/docs/sub/c.txt': 'c', '/docs/100%.txt': 'percent', '/docs/%2F.txt': 'encoded' })
    const { hash } = await product.as('ann').shares.create({ params: { path: at('/docs') }, body: '' })
    const text = async (address: string, who?: string) => {
      const answer = await product.ask(address, { who })
      return [answer.status, await answer.text()]
    }
    expect(await text(`/api/public/dl/${hash}%2Fsub%2Fc.txt`)).toEqual([200, 'c'])
    expect(await text(`/api/public/dl/${hash}%2fsub%2fc.txt`)).toEqual([200, 'c'])
    expect(await text(`/api/public/dl/${hash}%2F100%25.txt`)).toEqual([200, 'percent'])
    expect(await text('/api/raw%2Fdocs%2Fsub%2Fc.txt', 'ann')).toEqual([200, 'c'])
    // Decoded once: this is a file called `%2F.txt`.
    expect(await text('/api/raw/docs/%252F.txt', 'ann')).toEqual([200, 'encoded'])
  })

  it('S4: empty segments are ignored', async () => {
    await using product = await startProduct({ baseUrl: '/base' })
    await product.seed({ '/docs/sub/c.txt': 'c' })
    const { hash } = await product.as('ann').shares.create({ params: { path: at('/docs') }, body: '' })
    for (const address of ['/base/api/raw//docs/sub/c.txt', '/base/api/raw/docs//sub/%2Fc.txt', '/base/api//raw/docs/sub/c.txt'])
      expect([address, (await product.ask(address, { who: 'ann' })).status]).toEqual([address, 200])
    expect((await product.ask(`/base/api/public/share/${hash}/sub/%2F`)).status).toBe(200)
    expect((await product.ask('/base/api/resources//docs//', { who: 'ann' })).status).toBe(200)
  })

  it('S2: no spelling of a slash leaves the scope, bypasses a rule, or is decoded twice', async () => {
    await using product = await startProduct()
    await product.seed({ '/ann/docs/a.txt': 'a', '/ann/secret/key.txt': 'the key', '/outside.txt': 'outside' })
    await product.add('anna', { scope: '/ann', rules: [deny('/secret')] })
    const { hash } = await product.as('anna').shares.create({ params: { path: at('/docs') }, body: '' })
    for (const way of ['..%2F', '..//', '%2E%2E%2F', '..%2F%2F', '%2F..%2F', '%252E%252E%252F', '..%252F', '%2e%2e//'])
      for (const target of ['outside.txt', 'secret/key.txt', 'secret%2Fkey.txt', '%2Fsecret%2F%2Fkey.txt'])
        for (const start of [
          '/api/raw/',
          '/api/raw%2F',
          '/api/raw/docs%2F',
          `/api/public/dl/${hash}%2F`,
          `/api/public/dl/${hash}/`,
          '/api%2Fraw/',
        ]) {
          const answer = await product.ask(`${start}${way}${target}`, { who: 'anna' })
          expect([start + way + target, await answer.text()]).not.toEqual([
            start + way + target,
            expect.stringMatching(/^(outside|the key)$/),
          ])
        }
    expect((await product.ask('/api/raw//secret%2Fkey.txt', { who: 'anna' })).status).toBe(404)
  })
})

describe('sessions and accounts for the predecessor’s clients', () => {
  it('S8: a stored token can be renewed twice, but reuse in our web ends its family', async () => {
    await using product = await startProduct()
    const old = await product.signIn('ann')
    const renew = (token: string, cookie = '') => product.ask('/api/renew', { method: 'POST', headers: { 'x-auth': token, cookie } })
    const works = async (token: string, cookie = '') =>
      (await product.ask('/api/resources/', { headers: { 'x-auth': token, cookie } })).status === 200
    const first = await (await renew(old)).text()
    product.pass(40_000)
    const second = await renew(old)
    expect(second.status).toBe(200)
    expect([await works(first), await works(await second.text()), await works(old)]).toEqual([true, true, true])
    product.pass(2 * HOUR_MS)
    expect((await renew(old)).status).toBe(401)
    const web = await product.signInWeb('ann')
    const fresh = await (await renew(web.token, web.cookie)).text()
    product.pass(40_000)
    expect((await renew(web.token, web.cookie)).status).toBe(401)
    expect(await works(fresh, web.cookie)).toBe(false)
  })

  it('S3: five minutes after sign-in the response names the missing proof, or `compatibility` allows other clients', async () => {
    await using product = await startProduct()
    const tokens = { script: await product.signIn('root'), web: await product.signInWeb('root') }
    product.pass(6 * 60_000)
    let made = 0
    const create = (headers: Record<string, string>, more: object = {}) => {
      const data = { username: `new ${made++}`, password: PASSWORD, scope: '/new', perm: {} }
      return product.ask('/api/users', { method: 'POST', headers, body: JSON.stringify({ what: 'user', which: [], data, ...more }) })
    }
    const script = { 'x-auth': tokens.script }
    const web = { 'x-auth': tokens.web.token, cookie: tokens.web.cookie }
    const refused = await create(script)
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('current_password')])
    expect((await create(script, { current_password: PASSWORD })).status).toBe(201)
    await product.world.settings.change((before) => ({ ...before, compatibility: true }))
    expect((await create(script)).status).toBe(201)
    // A session of our web can ask, and does.
    expect((await create(web)).status).toBe(403)
    expect((await create(web, { current_password: PASSWORD })).status).toBe(201)
  })

  it('S3: switching `compatibility` on requires that proof', async () => {
    await using product = await startProduct()
    const token = await product.signIn('root')
    product.pass(6 * 60_000)
    const settings = (await (await product.ask('/api/settings', { headers: { 'x-auth': token } })).json()) as object
    const body = JSON.stringify({ ...settings, compatibility: true })
    expect((await product.ask('/api/settings', { method: 'PUT', headers: { 'x-auth': token }, body })).status).toBe(403)
    expect((await product.world.settings.read()).compatibility).toBe(false)
  })

  it('S6: the third view mode of 2.63 is mapped to the nearest one', async () => {
    await using product = await startProduct()
    const { id } = await product.account('ann')
    const body = JSON.stringify({ what: 'user', which: ['viewMode'], data: { id, viewMode: 'mosaic gallery' } })
    expect((await product.ask(`/api/users/${id}`, { method: 'PUT', who: 'ann', body })).status).toBe(200)
    expect((await product.account('ann')).viewMode).toBe('mosaic')
  })

  it('S12: PUT signs in, and GET renews with the token but never with the cookie alone', async () => {
    await using product = await startProduct()
    const body = JSON.stringify({ username: 'ann', password: PASSWORD })
    const signedIn = await product.ask('/api/login', { method: 'PUT', body })
    expect(signedIn.status).toBe(200)
    const token = await signedIn.text()
    const renewed = await product.ask('/api/renew', { headers: { 'x-auth': token } })
    expect([renewed.status, (await renewed.text()).split('.').length]).toEqual([200, 3])
    const { cookie } = await product.signInWeb('ann')
    expect((await product.ask('/api/renew', { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status).toBe(401)
  })

  it('S12: JSON names are case-insensitive and grant no extra permissions', async () => {
    await using product = await startProduct()
    const body = JSON.stringify({ Username: 'ann', PassWord: PASSWORD })
    expect((await product.ask('/api/login', { method: 'POST', body })).status).toBe(200)
    const { id } = await product.account('ann')
    const change = (which: string[], data: object, who = 'ann') =>
      product.ask(`/api/users/${id}`, {
        method: 'PUT',
        who,
        body: JSON.stringify({ What: 'user', Which: which, Data: { ID: id, ...data } }),
      })
    expect((await change(['Locale'], { Locale: 'de' })).status).toBe(200)
    expect((await product.account('ann')).locale).toBe('de')
    for (const name of ['perm', 'Perm', 'PERM', 'scope', 'Scope', 'SCOPE', 'lockpassword'])
      expect([name, (await change([name], { [name]: { Admin: true, admin: true } })).status >= 400]).toEqual([name, true])
    expect((await change(['locale'], { Locale: 'fr', Perm: { Admin: true }, PERM: { admin: true } })).status).toBe(200)
    expect((await product.account('ann')).perm).toEqual(EVERYTHING)
  })

  it('S12: removing a file or folder returns 200, which clients of both generations accept', async () => {
    await using product = await startProduct()
    await product.seed({ '/a.txt': 'a', '/docs/b.txt': 'b' })
    for (const path of ['a.txt', 'docs/'])
      expect((await product.ask(`/api/resources/${path}`, { method: 'DELETE', who: 'ann' })).status).toBe(200)
  })

  it('S1: a link keeps its name of before, also with a leading dash or underscore', async () => {
    await using product = await startProduct()
    await product.seed({ '/a.txt': 'a' })
    for (const slug of ['-x7aB_9z', '_aB3xYz1', 'aB3xYz1-']) {
      await product.as('ann').shares.create({ params: { path: at('/a.txt') }, body: JSON.stringify({ slug }) })
      expect([slug, (await product.ask(`/api/public/dl/${slug}`)).status]).toEqual([slug, 200])
    }
  })
})

it('S11: header names are sent in their canonical case', async () => {
  await using product = await startProduct({ storage: 'local' })
  const token = await product.signIn('ann')
  const headers = { 'x-auth': token, 'tus-resumable': '1.0.0' }
  const begun = await speak(product.port, 'POST /api/tus/new.bin', { headers: { ...headers, 'upload-length': '4' } })
  expect([begun.status, begun.text]).toEqual([201, expect.stringContaining('\r\nUpload-Offset: 0\r\n')])
  expect(begun.text).toContain('\r\nTus-Resumable: 1.0.0\r\n')
  const asked = await speak(product.port, 'HEAD /api/tus/new.bin', { headers })
  for (const line of ['Upload-Offset: 0', 'Upload-Length: 4']) expect(asked.text).toContain(`\r\n${line}\r\n`)
  const wrong = await speak(product.port, 'PATCH /api/tus/new.bin', {
    headers: { ...headers, 'upload-offset': '2', 'content-type': 'application/offset+octet-stream' },
    body: 'xx',
  })
  expect([wrong.status, wrong.text]).toEqual([409, expect.stringContaining('\r\nUpload-Offset: 0\r\n')])
  expect((await speak(product.port, 'POST /api/renew', { headers })).text).toContain('\r\nX-Renew-Token: false\r\n')
  const old = { 'x-auth': await product.signIn('ann') }
  product.pass(1.5 * HOUR_MS)
  expect((await speak(product.port, 'GET /api/resources/', { headers: old })).text).toContain('\r\nX-Renew-Token: true\r\n')

  // An answer that we write to the connection ourselves, and one that the runtime writes.
  await product.seed({ '/docs/long.bin': new Uint8Array(2 * 1024 * 1024), '/short/a.txt': 'a' })
  const names = async (folder: string) => {
    const { text } = await speak(product.port, `GET /api/raw/${folder}?algo=zip`, { headers: old })
    return text
      .slice(0, text.indexOf('\r\n\r\n'))
      .match(/^[\w-]+(?=: )/gm)
      ?.toSorted()
  }
  const [own, runtime] = [await names('docs'), await names('short')]
  expect(own).toContain('X-Renew-Token')
  expect(own?.filter((name) => name !== 'Connection')).toEqual(runtime?.filter((name) => name !== 'Connection') ?? [])
})
