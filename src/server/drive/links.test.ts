import { describe, expect, it } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { failure } from '../storage/test-samples.ts'
import type { Drive } from './drive.ts'
import { bytes, deny, driveOn, manifest, namesIn, plant, PLAIN, put, REPLACE, walked } from './samples.suite.ts'

const TREE = {
  '/home/docs/a.txt': 'a',
  '/home/secret/key': 'k',
  '/home/in': '→ docs',
  '/home/file': '→ docs/a.txt',
  '/home/chain': '→ in/a.txt',
  '/home/out': '→ ../other',
  '/home/absolute': '→ /other/x',
  '/home/dangling': '→ docs/gone',
  '/home/loop': '→ loop',
  '/home/denied': '→ secret',
  '/other/x': 'outside',
}
const ANN = { scope: '/home', rules: [deny('/secret')] }

describe('links', () => {
  it('show their target if it may be seen', async () => {
    const drive = driveOn(await plant(TREE), ANN)
    const { names, linked } = await drive.list(ROOT)
    const shown = Object.fromEntries([...linked].map(([index, { target, stat }]) => [names.at(index), `${target} ${stat.kind}`]))
    expect(shown).toEqual({
      in: 'inside folder',
      file: 'inside file',
      chain: 'inside file',
      out: 'outside link',
      absolute: 'outside link',
      dangling: 'missing link',
      loop: 'outside link',
      denied: 'outside link',
    })
    for (const name of Object.keys(shown)) {
      const { target, stat } = await drive.stat(at(`/${name}`))
      expect(`${target} ${stat.kind}`).toBe(shown[name] ?? '')
    }
  })

  it('are followed for reading, but not entered by a walk', async () => {
    const drive = driveOn(await plant(TREE), ANN)
    expect(await namesIn(drive, '/in')).toEqual(['a.txt'])
    for (const path of ['/file', '/chain', '/in/a.txt']) expect(new TextDecoder().decode(await drive.sniff(at(path), 9))).toBe('a')
    expect((await walked(drive)).filter((path) => path.startsWith('/in'))).toEqual(['/in'])
  })

  it('never lead outside (GHSA-239w-m3h6-ch8v, GHSA-fmm7-x4gx-8jhr)', async () => {
    const storage = await plant(TREE)
    const before = await manifest(storage)
    const drive = driveOn(storage, ANN)
    for (const path of ['/out/x', '/absolute', '/loop', '/out']) await refuses(drive, path)
    expect(await manifest(storage)).toEqual(before)
  })

  it('never create their target (GHSA-8wc8-hf36-mjh9)', async () => {
    const storage = await plant({ ...TREE, '/home/new': '→ ../other/not-yet', '/home/twice': '→ dangling' })
    const before = await manifest(storage)
    const drive = driveOn(storage, ANN)
    for (const path of ['/dangling', '/new', '/twice', '/new/x', '/dangling/x']) await refuses(drive, path)
    expect(await manifest(storage)).toEqual(before)
  })

  it('are checked by alias and by target; either denial applies (GHSA-7w29-q235-57m9)', async () => {
    const storage = await plant(TREE)
    const before = await manifest(storage)
    const byTarget = driveOn(storage, ANN)
    for (const path of ['/denied', '/denied/key']) await refuses(byTarget, path)
    await refuses(driveOn(storage, { scope: '/home', rules: [deny('/in')] }), '/in/a.txt')
    expect(await walked(byTarget)).not.toContain('/secret/key')
    expect(await manifest(storage)).toEqual(before)
  })

  it('do not lead a visitor out of the shared folder (GHSA-mr74-928f-rw69)', async () => {
    const storage = await plant({
      '/home/docs/up': '→ ../secret',
      '/home/docs/side': '→ sub',
      '/home/docs/sub/x': 'x',
      '/home/secret/key': 'k',
    })
    const visitor = driveOn(storage, { scope: '/home', start: '/docs' })
    expect((await visitor.stat(at('/up'))).target).toBe('outside')
    expect(await failure(visitor.list(at('/up')))).toBe('not-found')
    expect(await namesIn(visitor, '/side')).toEqual(['x'])
  })

  it('can be the shared node or the scope themselves', async () => {
    const storage = await plant({ ...TREE, '/ann': '→ home' })
    expect(await namesIn(driveOn(storage, { scope: '/ann', start: '/in' }), '/')).toEqual(['a.txt'])
    expect(await failure(namesIn(driveOn(storage, { scope: '/home', start: '/out' }), '/'))).toBe('not-found')
    expect(await failure(namesIn(driveOn(storage, { ...ANN, start: '/denied' }), '/'))).toBe('not-found')
  })

  it('are renamed and removed themselves, wherever they point', async () => {
    const storage = await plant(TREE)
    const drive = driveOn(storage, ANN)
    for (const name of ['in', 'file', 'out', 'dangling', 'loop', 'denied']) {
      await drive.move(at(`/${name}`), at(`/docs/${name}`), PLAIN)
      await drive.remove(at(`/docs/${name}`))
    }
    expect(await manifest(storage)).toMatchObject({ '/home/docs/a.txt': 'a', '/home/secret/key': 'k', '/other/x': 'outside' })
    expect(await namesIn(drive, '/')).toEqual(['absolute', 'chain', 'docs'])
  })

  it('are removed with their folder; their targets stay', async () => {
    const storage = await plant({ '/a/l': '→ ../b', '/a/o': '→ ../../x', '/b/f': 'f' })
    await driveOn(storage).remove(at('/a'))
    expect(await manifest(storage)).toEqual({ '/b/': '', '/b/f': 'f' })
  })

  it('are written through to a file inside', async () => {
    const storage = await plant(TREE)
    const drive = driveOn(storage, ANN)
    await put(drive, '/file', 'put', { replace: true })
    expect(await manifest(storage)).toMatchObject({ '/home/docs/a.txt': 'put', '/home/file': '(link)' })
    await drive.save(at('/chain'), await bytes(drive, at('/chain'), 'saved'))
    await put(drive, '/in/new', 'n')
    expect(await manifest(storage)).toMatchObject({ '/home/docs/a.txt': 'saved', '/home/docs/new': 'n', '/home/chain': '(link)' })
  })
})

/** Everything that would read or write at `path` fails as if nothing were there, or as if the name were taken. */
async function refuses(drive: Drive, path: string): Promise<void> {
  const there = at(path)
  const staged = await bytes(drive, at('/docs/b'), 'w')
  const reads = [
    () => drive.open(there),
    () => drive.sniff(there, 1),
    () => drive.list(there),
    () => walked(drive, path),
    () => drive.copy(there, at('/copied'), PLAIN),
    () => drive.save(there, staged),
  ]
  for (const read of reads) expect(await failure(read())).toBe('not-found')
  const writes = [PLAIN, REPLACE].flatMap((options) => [
    () => drive.put(there, staged, options),
    () => drive.copy(at('/docs/a.txt'), there, options),
    () => drive.copy(at('/docs'), there, options),
    () => drive.move(at('/docs/a.txt'), there, options),
    () => drive.makeFolder(there),
  ])
  for (const write of writes) expect(await failure(write())).toMatch(/not-found|already-exists/)
}
