import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Belongings, HandOver } from '../../src/shared/contract/hand-over.ts'
import { until } from '../contract/until.ts'
import { createTestInstall } from './satchel.ts'

// A server, databases and hashes on a machine that may be busy.
setDefaultTimeout(120_000)

describe('satchel users hand-over', () => {
  it('says what would be done, asks for it without a server, and a server that starts does it', async () => {
    const { satchel, ask, home, serve } = await withPeople()
    const preview = (await ask(['users', 'hand-over', 'ann', 'bob', '--preview'])) as Belongings
    expect(preview).toMatchObject({ home: { path: '/ann', state: 'own', files: 1 }, problems: [] })
    expect((await satchel(['users', 'hand-over', 'ann', 'bob', '--preview', '--folder', 'Ann'])).out).toContain('to /bob/Ann')
    const asked = await satchel(['users', 'hand-over', 'ann', 'bob', '--folder', 'Ann'])
    expect([asked.code, asked.complaints]).toEqual([0, expect.stringContaining('no server has begun')])
    expect((await satchel(['users', 'hand-over', 'ann', 'bob'])).code).toBe(1)
    await using _server = await serve()
    let last: HandOver | null = null
    await until(async () => {
      last = (await ask(['users', 'hand-over', 'ann'])) as HandOver
      return last.state === 'done'
    })
    expect(last as unknown as HandOver).toMatchObject({ folder: '/bob/Ann', by: '' })
    expect(await readFile(join(home, 'files/bob/Ann/a.txt'), 'utf8')).toBe('a')
    expect((await satchel(['users', 'find', 'ann'])).out).toContain('yes')
  })

  it('refuses, and changes nothing, what cannot be', async () => {
    const { satchel, ask } = await withPeople()
    const complaint = async (...args: string[]) => (await satchel(['users', 'hand-over', ...args])).complaints
    expect(await complaint('root', 'bob')).toContain('no administrator would be left')
    expect(await complaint('ann')).toContain('name a successor')
    expect(await complaint('ann', 'ann')).toContain('the same account')
    expect(await complaint('ann', 'nobody')).toContain('there is no account')
    expect(await complaint('ann', 'bob', '--files', 'burn')).toContain('neither move nor stay')
    expect(await complaint('ann', 'bob', '--folder', 'a/b')).toContain('folder: not a name')
    const accounts = (await ask(['users', 'ls'])) as { disabled?: boolean }[]
    expect(accounts.filter(({ disabled }) => disabled)).toEqual([])
  })
})

async function withPeople() {
  const install = await createTestInstall()
  for (const command of [
    ['config', 'init'],
    ['users', 'add', 'root', 'correct horse battery', '--perm.admin'],
    ['users', 'add', 'ann', 'correct horse battery', '--scope', '/ann'],
    ['users', 'add', 'bob', 'correct horse battery', '--scope', '/bob'],
  ]) {
    const { code, complaints } = await install.satchel(command)
    if (code !== 0) throw new Error(complaints)
  }
  for (const name of ['ann', 'bob']) await mkdir(join(install.home, 'files', name), { recursive: true })
  await writeFile(join(install.home, 'files/ann/a.txt'), 'a')
  return install
}
