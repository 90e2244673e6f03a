import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, setDefaultTimeout } from 'bun:test'
import { createTestInstall } from './satchel.ts'

setDefaultTimeout(30_000)

const KEYCLOAK = ['providers', 'set', 'kc', '--issuer', 'https://idp.example/realms/x', '--clientId', 'satchel', '--create']

it('providers are added, changed, listed without their secret, and removed', async () => {
  const { satchel, ask, home } = await createTestInstall()
  await satchel(['config', 'init'])
  await writeFile(join(home, 'secret'), 'canary-secret\n')
  const added = await satchel([
    ...KEYCLOAK,
    '--admin.claim',
    'groups',
    '--admin.values',
    'admins,it',
    '--clientSecretFile',
    join(home, 'secret'),
  ])
  expect(added).toMatchObject({ code: 0, out: 'added kc; its redirect address ends with /api/oidc/kc/callback\n' })
  const list = await ask(['providers', 'ls'])
  expect(list).toMatchObject([
    { id: 'kc', name: 'kc', create: true, enabled: true, hasSecret: true, admin: { claim: 'groups', values: ['admins', 'it'] } },
  ])
  expect(JSON.stringify(list)).not.toContain('canary')
  await satchel(['providers', 'set', 'kc', '--name', 'Keycloak', '--enabled=false'])
  expect(await ask(['providers', 'ls'])).toMatchObject([
    { name: 'Keycloak', enabled: false, hasSecret: true, clientId: 'satchel', create: true },
  ])
  expect((await satchel(['providers', 'ls'])).out).toContain('https://idp.example/realms/x')
  // people-attack3-2
  expect((await satchel(['providers', 'set', 'kc', '--issuer', 'https://idp.example/realms/y'])).complaints).toContain('needed again')
  expect((await satchel(['providers', 'ls'])).out).toContain('https://idp.example/realms/x')
  await satchel(['providers', 'set', 'kc', '--issuer', 'https://idp.example/realms/y', '--clientSecretFile', ''])
  expect(await ask(['providers', 'ls'])).toMatchObject([{ issuer: 'https://idp.example/realms/y', hasSecret: false }])
  expect((await satchel(['providers', 'rm', 'kc'])).out).toBe('removed Keycloak\n')
  expect((await satchel(['providers', 'rm', 'kc'])).complaints).toContain('there is no provider "kc"')
})

it('a provider that cannot be one is refused with the reason', async () => {
  const { satchel } = await createTestInstall()
  await satchel(['config', 'init'])
  const complaint = async (...args: string[]) => (await satchel(['providers', 'set', ...args])).complaints
  expect(await complaint('kc', '--issuer', 'http://idp.example/', '--clientId', 'x')).toContain('it must start with https://')
  expect(await complaint('kc', '--issuer', 'https://idp.example/?x', '--clientId', 'x')).toContain('query')
  expect(await complaint('K C', '--issuer', 'https://idp.example/', '--clientId', 'x')).toContain('lower-case')
  expect(await complaint('kc', '--issuer', 'https://idp.example/')).toContain('clientId')
})

it('a sign-in link is printed for the address that browsers use, and signs in once', async () => {
  const { satchel, serve } = await createTestInstall()
  await satchel(['config', 'init'])
  await satchel(['users', 'add', 'ann', 'a long enough password'])
  const link = async (...args: string[]) => (await satchel(['users', 'sign-in-link', 'ann', ...args])).out
  expect(await link()).toMatch(/^http:\/\/localhost:8080\/login#once=[\w-]{43}\n$/)
  expect(await link('--publicAddress', 'https://files.example', '--baseURL', '/x')).toMatch(/^https:\/\/files\.example\/x\/login#once=/)
  await satchel(['users', 'disable', 'ann'])
  expect((await satchel(['users', 'sign-in-link', 'ann'])).complaints).toContain('is switched off')
  await satchel(['users', 'enable', 'ann'])
  await using served = await serve()
  const [, old = ''] = /#once=(.*)\n/.exec(await link()) ?? []
  const [, secret = ''] = /#once=(.*)\n/.exec(await link()) ?? []
  const use = (one: string) => fetch(`${served.url}api/login/once`, { method: 'POST', body: JSON.stringify({ secret: one }) })
  expect((await use(old)).status).toBe(403)
  expect((await use(secret)).status).toBe(200)
  expect((await use(secret)).status).toBe(403)
})
