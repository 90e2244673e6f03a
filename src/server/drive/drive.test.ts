import { describe, expect, it } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { failure } from '../storage/test-samples.ts'
import type { Storage } from '../storage/storage.ts'
import { etagOf } from './etag.ts'
import { accessOf, allow, bytes, caseBlind, deny, driveOn, manifest, namesIn, PLAIN, plant, put, REPLACE, walked } from './samples.suite.ts'
import { openDrive } from './drive.ts'

const TREE = { '/docs/a.txt': 'a', '/docs/secret/key': 'k', '/docs/.env': 'e', '/pub/b.txt': 'b' }

describe('visibility', () => {
  it('hides nodes that a rule denies', async () => {
    const drive = driveOn(await plant(TREE), { rules: [deny('/docs/secret')] })
    expect(await namesIn(drive, '/docs')).toEqual(['.env', 'a.txt'])
    expect(await walked(drive)).toEqual(['/docs', '/docs/.env', '/docs/a.txt', '/pub', '/pub/b.txt'])
    expect(await failureOf(drive.stat(at('/docs/secret')))).toEqual(await failureOf(drive.stat(at('/docs/nothing')), '/docs/secret'))
    expect(await failureOf(drive.open(at('/docs/secret/key')))).toEqual(
      await failureOf(drive.open(at('/docs/nothing/key')), '/docs/secret/key'),
    )
    expect(drive.canSee(at('/docs/secret/key'))).toBe(false)
  })

  it('shows a part of a denied folder that a later rule allows, by its own path', async () => {
    const drive = driveOn(await plant({ '/a/b/c': 'c', '/a/x': 'x' }), { rules: [deny('/a'), allow('/a/b')] })
    expect(await namesIn(drive, '/')).toEqual([])
    expect(await failure(drive.list(at('/a')))).toBe('not-found')
    expect(await namesIn(drive, '/a/b')).toEqual(['c'])
  })

  it('hides dotfiles and their content if the user wants that', async () => {
    const drive = driveOn(await plant({ '/.git/config': 'c', '/a': 'a' }), { hideDotfiles: true })
    expect(await namesIn(drive, '/')).toEqual(['a'])
    expect(await failure(drive.open(at('/.git/config')))).toBe('not-found')
    expect(await failure(put(drive, '/.new', 'x'))).toBe('not-found')
  })

  it('delivers early names only to users without rules', async () => {
    const storage = await plant(TREE)
    const early: Storage = {
      ...storage,
      async list(path, options) {
        const columns = await storage.list(path, options)
        options?.onNames?.(columns.names, columns.modes)
        return columns
      },
    }
    const told = async (rules: ReturnType<typeof deny>[]) => {
      let names: readonly string[] = []
      await openDrive(early, accessOf({ rules })).list(at('/docs'), { onNames: (some) => (names = [...some]) })
      return names
    }
    expect(await told([])).toContain('secret')
    expect(await told([deny('/docs/secret')])).toEqual([])
  })

  it('shows a visitor the shared part, under the rules of its owner (GHSA-j9jx-hp4c-ghhh)', async () => {
    const storage = await plant({ '/home/ann/docs/a': 'a', '/home/ann/docs/secret/key': 'k', '/home/ann/other': 'o' })
    const drive = driveOn(storage, { scope: '/home/ann', start: '/docs', rules: [deny('/docs/secret')] })
    expect(await namesIn(drive, '/')).toEqual(['a'])
    expect((await drive.stat(ROOT)).path).toBe(ROOT)
    for (const path of ['/secret/key', '/docs/a', '/other']) expect(await failure(drive.open(at(path)))).toBe('not-found')
  })

  it('shows one shared file as the root', async () => {
    const drive = driveOn(await plant(TREE), { start: '/pub/b.txt' })
    expect((await drive.stat(ROOT)).stat).toMatchObject({ kind: 'file', size: 1 })
    expect(await readAll(drive, '/')).toBe('b')
  })

  it('applies rules to the real name on a case-insensitive disk (GHSA-fgm5-pw99-w2p7)', async () => {
    const storage = await plant({ '/Secret/Key.txt': 'k', '/open': 'o' })
    const drive = openDrive(caseBlind(storage), accessOf({ rules: [deny('/Secret')] }))
    for (const path of ['/secret/key.txt', '/SECRET/KEY.TXT', '/sEcret/Key.txt']) {
      expect(await failure(drive.open(at(path)))).toBe('not-found')
      expect(await failure(drive.remove(at(path)))).toBe('not-found')
      expect(await failure(put(drive, path, 'x', { replace: true }))).toBe('not-found')
    }
    expect(await readAll(drive, '/OPEN')).toBe('o')
  })

  it('applies rules to the real names when merging trees on a case-insensitive disk (GHSA-fgm5-pw99-w2p7)', async () => {
    const storage = await plant({ '/d/Secret/Key': 'k', '/src/secret/key': 'x', '/src/a': 'a' })
    const before = await manifest(storage)
    const drive = openDrive(caseBlind(storage), accessOf({ rules: [deny('/d/Secret')] }))
    for (const operation of ['copy', 'move'] as const)
      expect(await failure(drive[operation](at('/src'), at('/D'), REPLACE))).toBe('forbidden')
    expect(await manifest(storage)).toEqual(before)
  })

  it('changes the case of a name there if rules allow the new name', async () => {
    const storage = await plant({ '/open': 'o' })
    const drive = openDrive(caseBlind(storage), accessOf({ rules: [deny('/Open'), deny('/Secret')] }))
    expect(await failure(drive.move(at('/open'), at('/Open'), PLAIN))).toBe('not-found')
    await drive.move(at('/open'), at('/OPEN'), PLAIN)
    expect(await manifest(storage)).toEqual({ '/OPEN': 'o' })
  })

  it('refuses to copy a folder into itself under another spelling', async () => {
    const storage = await plant({ '/a/b/c': 'c' })
    const drive = openDrive(caseBlind(storage), accessOf({}))
    expect(await failure(drive.copy(at('/a'), at('/A/b/x'), PLAIN))).toBe('invalid-input')
    expect(await failure(drive.copy(at('/a/b/c'), at('/A/B/C'), REPLACE))).toBe('invalid-input')
  })

  it('walks in order of names, a folder before its content, and stops when aborted', async () => {
    const drive = driveOn(await plant({ '/b/z': '', '/b/A': '', '/a-': '', '/a': '', '/ä/x': '' }))
    expect(await walked(drive)).toEqual(['/a', '/a-', '/b', '/b/A', '/b/z', '/ä', '/ä/x'])
    const stopped = new AbortController()
    const walk = drive.walk(ROOT, { signal: stopped.signal })[Symbol.asyncIterator]()
    await walk.next()
    stopped.abort(new Error('gone'))
    expect(await failure(walk.next())).toContain('gone')
    expect(await failure(walked(drive, '/a'))).toBe('not-found')
  })

  it('names the requested path in errors, never the storage path (R11, CVE-2021-32734)', async () => {
    const drive = driveOn(await plant({ '/home/ann/a': 'a', '/home/ann/d/': '' }), { scope: '/home/ann' })
    expect(await failureOf(drive.makeFolder(at('/a')))).toEqual({ code: 'already-exists', detail: { path: '/a' } })
    expect(await failureOf(put(drive, '/a/b', 'x'))).toEqual({ code: 'already-exists', detail: { path: '/a' } })
    expect(await failureOf(drive.open(at('/d')))).toEqual({ code: 'not-found', detail: { path: '/d' } })
    expect(await failureOf(drive.list(at('/a')))).toEqual({ code: 'not-found', detail: { path: '/a' } })
  })

  it('allows only listing, moving and removing of names that are not UTF-8', async () => {
    const storage = await plant({ '/bad\udcff': 'x', '/worse\udcfe': 'y' })
    const drive = driveOn(storage)
    expect(await namesIn(drive, '/')).toEqual(['bad\udcff', 'worse\udcfe'])
    expect(await failure(drive.open(at('/bad\udcff')))).toBe('invalid-input')
    expect(await failure(put(drive, '/bad\udcff', 'x', { replace: true }))).toBe('invalid-input')
    expect(await failure(drive.makeFolder(at('/\udcff')))).toBe('invalid-input')
    await drive.move(at('/bad\udcff'), at('/good'), { replace: false, rename: false })
    await drive.remove(at('/worse\udcfe'))
    expect(await manifest(storage)).toEqual({ '/good': 'x' })
  })

  it('never lists the private folder of the storage', async () => {
    const drive = driveOn(await plant({ '/a': 'a' }))
    await bytes(drive, at('/b'), 'staged')
    for (const path of ['/.satchel', '/.satchel/x', '/sub/.SATCHEL/y']) {
      expect(await failure(drive.stat(at(path)))).toBe('not-found')
      expect(await failure(drive.makeFolder(at(path)))).toBe('not-found')
      expect(await failure(drive.stage(at(path), { id: 'id' }))).toBe('not-found')
    }
    expect(await walked(drive)).toEqual(['/a'])
  })
})

describe('publishing', () => {
  it('creates parents, and refuses a taken name without replace', async () => {
    const storage = await plant({})
    const drive = driveOn(storage)
    await put(drive, '/a/b/c.txt', 'one')
    expect(await failure(put(drive, '/a/b/c.txt', 'two'))).toBe('already-exists')
    await put(drive, '/a/b/c.txt', 'three', { replace: true })
    expect(await manifest(storage)).toEqual({ '/a/': '', '/a/b/': '', '/a/b/c.txt': 'three' })
  })

  it('fails in advance if put would fail', async () => {
    const drive = driveOn(await plant(TREE), { may: { modify: false }, rules: [deny('/docs/secret')] })
    await drive.expect(at('/new/deep/file'), { replace: true })
    expect(await failure(drive.expect(at('/docs/a.txt'), { replace: false }))).toBe('already-exists')
    expect(await failureOf(drive.expect(at('/docs/a.txt'), { replace: true }))).toEqual({ code: 'forbidden', detail: { right: 'modify' } })
    expect(await failure(drive.expect(at('/docs'), { replace: true }))).toBe('already-exists')
    expect(await failure(drive.expect(ROOT, { replace: true }))).toBe('already-exists')
    expect(await failure(drive.expect(at('/docs/secret/new'), { replace: false }))).toBe('not-found')
  })

  it('never replaces a folder by a file, and leaves its content unchanged (GHSA-c4fr-5f24-4wrj)', async () => {
    const storage = await plant(TREE)
    const before = await manifest(storage)
    const drive = driveOn(storage)
    const staged = await bytes(drive, at('/docs'), 'x')
    expect(await failure(drive.put(at('/docs'), staged, { replace: true }))).toBe('already-exists')
    expect(await failure(drive.save(at('/docs'), staged))).toBe('already-exists')
    expect(await staged.size()).toBe(1)
    expect(await manifest(storage)).toEqual(before)
  })

  it('does not replace without the modify right, even at the last moment', async () => {
    const storage = await plant({})
    const drive = driveOn(storage, { may: { modify: false } })
    const staged = await bytes(drive, at('/a'), 'mine')
    const rival = async (): Promise<void> => put(driveOn(storage), '/a', 'theirs')
    expect(await failure(drive.put(at('/a'), staged, { replace: true, ready: rival }))).toBe('already-exists')
    expect(await manifest(storage)).toEqual({ '/a': 'theirs' })
  })

  it('creates no parent if a rule denies a parent or the target', async () => {
    const storage = await plant({})
    const drive = driveOn(storage, { rules: [deny('/x/secret'), allow('/x/secret/inner')] })
    for (const path of ['/x/secret/file', '/x/secret/inner/file', '/x/secret']) {
      expect(await failure(put(drive, path, 'x'))).toBe('not-found')
      expect(await failure(drive.makeFolder(at(path)))).toBe('not-found')
    }
    expect(await manifest(storage)).toEqual({})
  })

  it('accepts an existing folder', async () => {
    const drive = driveOn(await plant({ '/a/b/': '' }))
    await drive.makeFolder(at('/a/b'))
    await drive.makeFolder(ROOT)
    await drive.makeFolder(at('/a/b/c/d'))
    expect(await namesIn(drive, '/a/b/c')).toEqual(['d'])
  })

  it('saves over existing files only, and with an ETag over that version only', async () => {
    const storage = await plant({ '/a': 'old' })
    const drive = driveOn(storage)
    const old = etagOf((await drive.stat(at('/a'))).stat)
    const save = async (text: string, ifMatch?: string) => drive.save(at('/a'), await bytes(drive, at('/a'), text), { ifMatch })
    await save('new one', `"zz", ${old}`)
    expect(await failure(save('lost', old))).toBe('precondition-failed')
    expect(await failure(save('lost', `W/${etagOf((await drive.stat(at('/a'))).stat)}`))).toBe('precondition-failed')
    await save('any', '*')
    expect(await manifest(storage)).toEqual({ '/a': 'any' })
    expect(await failure(drive.save(at('/none'), await bytes(drive, at('/none'), 'x')))).toBe('not-found')
  })

  it('lets one of many saves over the same version succeed', async () => {
    const storage = await plant({ '/a': 'old' })
    const ifMatch = etagOf((await driveOn(storage).stat(at('/a'))).stat)
    const rivals = await Promise.all(['one', 'three', 'eleven'].map((text) => bytes(driveOn(storage), at('/a'), text)))
    const outcomes = await Promise.all(rivals.map((staged) => failure(driveOn(storage).save(at('/a'), staged, { ifMatch }))))
    expect(outcomes).toEqual(['none', 'precondition-failed', 'precondition-failed'])
    expect(await manifest(storage)).toEqual({ '/a': 'one' })
  })

  it('returns the free space of the nearest existing folder', async () => {
    const drive = driveOn(await plant({ '/a/f': 'x' }))
    expect((await drive.space(at('/a/not/there/yet'))).total).toBeGreaterThan(0)
    expect((await drive.space(at('/a/f'))).used).toBeGreaterThan(0)
  })
})

describe('removing', () => {
  it('removes a folder with its content, including hidden dotfiles', async () => {
    const storage = await plant({ ...TREE, '/docs/deep/.DS_Store': 'd' })
    await driveOn(storage, { hideDotfiles: true }).remove(at('/docs'))
    expect(await manifest(storage)).toEqual({ '/pub/': '', '/pub/b.txt': 'b' })
  })

  it('refuses to remove anything if a rule denies a part (GHSA-77x8-73f4-5485)', async () => {
    const storage = await plant(TREE)
    const before = await manifest(storage)
    const drive = driveOn(storage, { rules: [deny('/docs/secret/key')] })
    expect(await failureOf(drive.remove(at('/docs')))).toEqual({ code: 'forbidden', detail: { right: 'delete' } })
    expect(await manifest(storage)).toEqual(before)
  })

  it('never removes the root', async () => {
    const storage = await plant(TREE)
    for (const start of ['/', '/docs']) expect(await failure(driveOn(storage, { start }).remove(ROOT))).toBe('forbidden')
    expect(Object.keys(await manifest(storage)).length).toBe(7)
  })

  it('stops between files when aborted', async () => {
    const storage = await plant({ '/a/1': '', '/a/2': '' })
    const removing = driveOn(storage).remove(at('/a'), { signal: AbortSignal.abort(new Error('gone')) })
    expect(await failure(removing)).toContain('gone')
    expect(Object.keys(await manifest(storage))).toEqual(['/a/', '/a/1', '/a/2'])
  })
})

async function failureOf(operation: Promise<unknown>, as?: string): Promise<unknown> {
  const error: unknown = await operation.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error && 'code' in error && 'detail' in error)) return error
  return { code: error.code, detail: as === undefined ? error.detail : { path: as } }
}

async function readAll(drive: ReturnType<typeof driveOn>, path: string): Promise<string> {
  await using file = await drive.open(at(path))
  return await new Response(file.stream(0, file.stat.size)).text()
}
