import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createTestInstall, type TestInstall } from './satchel.ts'

// Databases and hashes, several a test, on a machine that may be busy.
setDefaultTimeout(30_000)

const PASSWORD = 'correct horse battery'

describe('a database of the predecessor', () => {
  it('S1: is recognized, with instructions, and never changed', async () => {
    const { satchel, home } = await withAdmin()
    const file = join(home, 'file browser.db')
    const bolt = Buffer.concat([Buffer.alloc(16), Buffer.from([0xed, 0xda, 0x0c, 0xed]), Buffer.alloc(4096)])
    await writeFile(file, bolt, { mode: 0o640 })
    for (const args of [
      ['users', 'import', file],
      ['config', 'import', file],
      ['users', 'ls', '--database', file],
      ['config', 'init', '--database', file],
      ['backup', 'kept.tgz', '--database', file],
      ['--database', file],
    ]) {
      const { code, complaints } = await satchel(args)
      expect([args, code === 0, complaints]).toEqual([args, false, expect.stringContaining('is a database of File Browser')])
      expect(complaints).toContain(`"satchel migrate '${file}'"`)
    }
    expect((await satchel([], { FB_DATABASE: file })).complaints).toContain('is a database of File Browser')
    expect([await readFile(file), (await stat(file)).mode & 0o777]).toEqual([bolt, 0o640])
  })
})

describe('what comes from 2.17', () => {
  it('S7: hides the same prefixes as before, and the import reports it', async () => {
    const { satchel, ask, fixture } = await withAdmin()
    const { complaints } = await satchel(['users', 'import', await fixture('users-2.17.json'), '--overwrite', '--old-root', '/srv'])
    expect(complaints).toContain('"bob": the rule for "/secret"')
    expect(await ask(['users', 'find', 'bob'])).toMatchObject([{ rules: [{ regex: true, allow: false, regexp: { raw: '^/secret' } }, {}] }])
    const settings = await satchel(['config', 'import', await fixture('config-2.17.json')])
    expect(settings.complaints).toContain('the rule for "/lost+found"')
    expect(await ask(['config', 'cat'])).toMatchObject({ rules: [{ regex: true, allow: false, regexp: { raw: '^/lost\\+found' } }] })
  })
})

describe('a setting of the predecessor without a counterpart', () => {
  it('S12: is listed by the import', async () => {
    const { satchel, fixture } = await withAdmin()
    const { complaints } = await satchel(['config', 'import', await fixture('config-2.63.yaml')])
    for (const name of ['key', 'fileMode', 'dirMode', 'unheardof']) expect(complaints).toContain(`satchel: settings.${name} was left out: `)
  })

  it('S12: is reported and ignored in the predecessor’s file and environment, and refused in ours', async () => {
    const { satchel, home } = await createTestInstall()
    await writeFile(join(home, 'ours.json'), '{ "wholly": "unheard of" }')
    await writeFile(join(home, '.filebrowser.json'), '{ "wholly": "unheard of" }')
    const refused = await satchel(['--config', 'ours.json'])
    expect([refused.code, refused.complaints]).toEqual([1, expect.stringContaining('unknown setting wholly')])
    expect((await satchel(['--wholly'])).complaints).toContain('unknown flag --wholly')
    const ignored = await satchel(['--config', '.filebrowser.json', '--root', 'nowhere'], { FB_BRANDING_NAME: 'Ours' })
    expect(ignored.complaints.split('\n').slice(0, -2)).toEqual([
      expect.stringContaining('FB_BRANDING_NAME is no setting'),
      expect.stringContaining('wholly is no setting'),
    ])
    expect(ignored.complaints).toContain('nowhere is no folder')
  })
})

describe('a first start', () => {
  it('S12: reports in one line that there is no folder to serve', async () => {
    const { satchel, home } = await createTestInstall()
    await rm(join(home, 'files'), { recursive: true })
    expect((await satchel(['config', 'init'])).code).toBe(0)
    const { code, complaints } = await satchel(['users', 'add', 'ann', PASSWORD])
    expect([code, complaints.split('\n').at(-2)]).toEqual([1, expect.stringMatching(/^satchel: --root .*files is not a folder/)])
  })

  it('S12: with noauth prints no password', async () => {
    const { serve } = await createTestInstall()
    await using server = await serve(['--noauth'])
    expect(server.said).not.toContain('password')
    const body = JSON.stringify({ username: '', password: '' })
    expect((await fetch(`${server.url}api/login`, { method: 'POST', body })).status).toBe(200)
  })
})

async function withAdmin(): Promise<TestInstall> {
  const install = await createTestInstall()
  await mkdir(join(install.home, 'files/users'))
  for (const args of [
    ['config', 'init'],
    ['users', 'add', 'admin', PASSWORD, '--perm.admin'],
  ]) {
    const { code, complaints } = await install.satchel(args)
    if (code !== 0) throw new Error(complaints)
  }
  return install
}
