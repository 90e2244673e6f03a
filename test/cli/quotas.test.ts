import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createTestInstall } from './satchel.ts'

// Databases and hashes, several a test, on a machine that may be busy.
setDefaultTimeout(30_000)

describe('satchel quotas', () => {
  it('sets, lists and removes those of accounts, groups and everybody', async () => {
    const { satchel, ask } = await withAnn()
    await satchel(['groups', 'add', 'team'])
    expect((await satchel(['quotas', 'set', '-u', 'ann', '--bytes', '1.5G', '--files', '100'])).code).toBe(0)
    await satchel(['quotas', 'set', '-g', 'team', '--bytes', '2T'])
    await satchel(['quotas', 'set', '--files', '5000'])
    // What is not given stays.
    await satchel(['quotas', 'set', '-u', 'ann', '--files', 'none'])
    expect(await ask(['quotas', 'ls'])).toMatchObject([
      { kind: 'everybody', bytes: null, files: 5000, usedFiles: null },
      { kind: 'group', name: 'team', bytes: 2 * 1024 ** 4, files: null },
      { kind: 'user', name: 'ann', bytes: 1.5 * 1024 ** 3, files: null },
    ])
    expect((await satchel(['quotas', 'rm', '-u', 'ann'])).out).not.toContain('ann')
    expect((await satchel(['quotas', 'rm', '-u', 'ann'])).complaints).toContain('there is no such quota')
    expect(await ask(['quotas', 'ls'])).toHaveLength(2)
  })

  it('refuses, and changes nothing, what cannot be', async () => {
    const { satchel, ask } = await withAnn()
    const complaint = async (...args: string[]) => (await satchel(['quotas', 'set', ...args])).complaints
    expect(await complaint('-u', 'ann')).toContain('nothing to set was given')
    expect(await complaint('-u', 'ann', '--bytes', 'much')).toContain('--bytes: "much" is no limit')
    expect(await complaint('-u', 'ann', '--files', '1.5')).toContain('--files: "1.5" is no limit')
    expect(await complaint('-u', 'nobody', '--bytes', '1G')).toContain('there is no account')
    expect(await complaint('-g', 'nobody', '--bytes', '1G')).toContain('there is no group')
    expect(await ask(['quotas', 'ls'])).toEqual([])
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
