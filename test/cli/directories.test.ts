import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, setDefaultTimeout } from 'bun:test'
import { BASE, groupDn, group, person, personDn, SEARCHER, startSlapd } from '../ldap/slapd.ts'
import { createTestInstall } from './satchel.ts'

setDefaultTimeout(60_000)

it('directories are added, tried, changed, listed without their password, and removed', async () => {
  using slapd = await startSlapd([person('ada'), group('it', [personDn('ada')])].join(''))
  const { satchel, ask, home } = await createTestInstall()
  await satchel(['config', 'init'])
  await satchel(['groups', 'add', 'Staff'])
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(home, name), text)
    return join(home, name)
  }
  const settings = [
    '--urls',
    slapd.ldaps,
    '--caFile',
    await file('ca.pem', slapd.ca),
    '--baseDn',
    BASE,
    '--create',
    '--bindDn',
    SEARCHER.dn,
    '--bindPasswordFile',
    await file('secret', `${SEARCHER.password}\n`),
    '--admin',
    `${groupDn('it')}; ${groupDn('others')}`,
    '--groups',
    `${groupDn('it')}=>Staff`,
  ]
  expect(await satchel(['directories', 'set', 'corp', ...settings])).toMatchObject({ code: 0, complaints: '' })
  const tried = await satchel(['directories', 'try', 'corp', 'ada', '--passwordFile', await file('ada', 'password of ada\n')])
  expect([tried.code, tried.out]).toEqual([
    0,
    expect.stringContaining('a new account ada would be created, as an administrator; groups: Staff'),
  ])
  const wrong = await satchel(['directories', 'try', 'corp', 'ada', '--passwordFile', await file('wrong', 'wrong\n')])
  expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('FAILED  password')])
  expect((await satchel(['directories', 'set', 'corp', '--name', 'Our directory', '--checkMinutes', '5'])).complaints).toBe('')
  const list = await ask(['directories', 'ls'])
  expect(list).toMatchObject([
    { id: 'corp', name: 'Our directory', checkMinutes: 5, hasPassword: true, admin: [groupDn('it'), groupDn('others')] },
  ])
  expect(JSON.stringify(list)).not.toContain(SEARCHER.password)
  expect((await satchel(['directories', 'ls'])).out).toContain(slapd.ldaps)
  expect((await satchel(['directories', 'set', 'corp', '--urls', 'ldaps://elsewhere.example'])).complaints).toContain('needed again')
  expect((await satchel(['directories', 'rm', 'corp'])).out).toBe('removed Our directory\n')
  expect((await satchel(['directories', 'rm', 'corp'])).complaints).toContain('there is no directory "corp"')
})

it('a directory that cannot be one is refused with the reason', async () => {
  const { satchel } = await createTestInstall()
  await satchel(['config', 'init'])
  const complaint = async (...args: string[]) => (await satchel(['directories', 'set', ...args])).complaints
  expect(await complaint('corp', '--urls', 'ldap://ldap.example', '--baseDn', 'dc=x')).toContain('StartTLS')
  expect(await complaint('corp', '--urls', 'ldap://ldap.example', '--baseDn', 'dc=x', '--plaintext')).toContain('not on this machine')
  expect(await complaint('corp', '--urls', 'ldaps://ldap.example')).toContain('baseDn')
  expect(await complaint('corp', '--urls', 'ldaps://ldap.example', '--baseDn', 'dc=x', '--groups', 'cn=x,dc=x=>Nobody')).toContain(
    'no group',
  )
  expect(await complaint('C', '--urls', 'ldaps://ldap.example', '--baseDn', 'dc=x')).toContain('lower-case')
})
