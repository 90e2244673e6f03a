import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isWellFormedToken } from '../../src/server/tokens/token-format.ts'
import type { ApiToken } from '../../src/shared/contract/tokens.ts'
import { createTestInstall } from './satchel.ts'

// Databases and hashes, several a test, on a machine that may be busy.
setDefaultTimeout(30_000)

describe('satchel tokens', () => {
  it('makes, lists and revokes API tokens', async () => {
    const { satchel, ask, home } = await withAnn()
    await mkdir(join(home, 'files/inbox'), { recursive: true })
    const made = await satchel([
      'tokens',
      'add',
      'ann',
      'nightly backup',
      '--rights',
      'download,create',
      '--folder',
      '/inbox',
      '--expires',
      '2099-12-31',
    ])
    expect([made.code, isWellFormedToken(made.out.trim())]).toEqual([0, true])
    const [token] = (await ask(['tokens', 'ls', 'ann'])) as ApiToken[]
    expect(token).toMatchObject({ name: 'nightly backup', username: 'ann', folder: '/inbox', expires: Date.parse('2099-12-31') })
    expect(token?.perm).toMatchObject({ download: true, create: true, delete: false })
    const { out } = await satchel(['tokens', 'ls'])
    expect(out).toContain('nightly backup')
    expect(out).not.toContain('satchel_')
    expect((await satchel(['tokens', 'rm', token?.id ?? ''])).out).toContain('revoked nightly backup')
    expect(await ask(['tokens', 'ls'])).toEqual([])
  })

  it('refuses, and changes nothing, what cannot be', async () => {
    const { satchel, ask } = await withAnn()
    const complaint = async (...args: string[]) => (await satchel(['tokens', ...args])).complaints
    expect(await complaint('add', 'ann', 'x', '--rights', 'admin')).toContain('no right to admin')
    expect(await complaint('add', 'ann', 'x', '--rights', 'fly')).toContain('no right is called "fly"')
    expect(await complaint('add', 'ann', 'x', '--folder', '/none')).toContain('has no folder /none')
    expect(await complaint('add', 'ann', 'x', '--expires', 'soon')).toContain('"soon" is no date')
    expect(await complaint('add', 'ann', 'x', '--expires', '2001-01-01')).toContain('in the past')
    expect(await complaint('add', 'nobody', 'x')).toContain('there is no account')
    expect(await complaint('rm', 'none')).toContain('there is no API token with the id "none"')
    expect(await ask(['tokens', 'ls'])).toEqual([])
  })
})

async function withAnn() {
  const install = await createTestInstall()
  for (const command of [
    ['config', 'init'],
    ['users', 'add', 'ann', 'correct horse battery', '--perm.admin=false'],
  ]) {
    const { code, complaints } = await install.satchel(command)
    if (code !== 0) throw new Error(complaints)
  }
  return install
}
