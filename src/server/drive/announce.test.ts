import { describe, expect, it } from 'bun:test'
import { fail } from '../../shared/errors.ts'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import { failure } from '../storage/samples.ts'
import { announce, type Deed, type Observer } from './announce.ts'
import type { Drive } from './drive.ts'
import { bytes, deny, driveOn, manifest, plant, PLAIN, put, RENAME, withMount } from './samples.suite.ts'

const ANN = { id: 7, name: 'ann' }

describe('onlookers', () => {
  it('hear of every deed before it and after it, with who and where', async () => {
    const { drive, heard } = await watched({ '/a': 'a' })
    await drive.makeFolder(at('/new/deep'))
    await put(drive, '/b', 'b')
    await drive.save(at('/b'), await bytes(drive, at('/b'), 'c'))
    await drive.copy(at('/a'), at('/b'), RENAME)
    await drive.move(at('/a'), at('/z'), PLAIN)
    await drive.remove(at('/z'))
    expect(heard.map(([when, deed]) => [when, told(deed)].join(' '))).toEqual(
      ['upload /new/deep/', 'upload /b', 'save /b', 'copy /a /b(1)', 'rename /a /z', 'delete /z'].flatMap((deed) => [
        `before ${deed}`,
        `after ${deed}`,
      ]),
    )
    expect(heard.every(([, { user }]) => user === ANN)).toBe(true)
  })

  it('can tell where in the storage it was', async () => {
    const { drive, heard } = await watched({ '/home/a': 'a' }, { scope: '/home' })
    await drive.remove(at('/a'))
    expect(heard.map(([, deed]) => deed.kind === 'delete' && inStorage(deed.access, deed.path))).toEqual([at('/home/a'), at('/home/a')])
  })

  it('do not hear of what was refused, or had nothing to do', async () => {
    const { drive, heard } = await watched({ '/a/x': 'x', '/b': 'b', '/s/key': 'k' }, { may: { delete: false }, rules: [deny('/s/key')] })
    await failure(drive.remove(at('/b')))
    await failure(put(drive, '/b', 'x'))
    await failure(drive.move(at('/s'), at('/t'), PLAIN))
    await failure(drive.copy(at('/a'), at('/b'), PLAIN))
    await failure(drive.save(at('/none'), await bytes(drive, at('/none'), 'x')))
    await drive.makeFolder(at('/a'))
    await drive.move(at('/b'), at('/b'), PLAIN)
    expect(heard).toEqual([])
  })

  it('can stop a deed, and then nothing has changed', async () => {
    const { drive, storage, heard } = await watched({ '/a/x': 'x' }, {}, { before: () => fail('hook-failed', { output: 'no' }) })
    const before = await manifest(storage)
    const staged = await bytes(drive, at('/n'), 'n')
    const deeds = [
      () => drive.makeFolder(at('/n')),
      () => drive.put(at('/deep/n'), staged, { replace: false }),
      () => drive.save(at('/a/x'), staged),
      () => drive.copy(at('/a'), at('/deep/b'), PLAIN),
      () => drive.move(at('/a'), at('/deep/b'), PLAIN),
      () => drive.remove(at('/a')),
    ]
    for (const deed of deeds) expect(await failure(deed())).toBe('hook-failed')
    expect(await manifest(storage)).toEqual(before)
    expect(heard.filter(([when]) => when === 'after')).toEqual([])
  })

  it('that fail after a deed do not undo it, nor keep the others from hearing', async () => {
    const failures: string[] = []
    const storage = await plant({ '/a': 'a' })
    const heard: Deed[] = []
    const observers = [{ after: () => fail('hook-failed', { output: 'late' }) }, { after: (deed: Deed) => void heard.push(deed) }]
    await announce(driveOn(storage), { user: null, observers, onFailure: (error) => failures.push(String(error)) }).remove(at('/a'))
    expect(failures.length).toBe(1)
    expect(heard.map(told)).toEqual(['delete /a'])
  })

  it('hear of a deed that broke off, because a part of it may be done', async () => {
    const storage = withMount(await plant({ '/a/1': '1', '/a/2': '2', '/disk/': '' }), at('/disk'))
    const heard: string[] = []
    const stopped = new AbortController()
    const observers = [{ after: () => void heard.push('after'), broken: (deed: Deed) => void heard.push(`broken ${told(deed)}`) }]
    const drive = announce(driveOn(storage), { user: null, observers, onFailure: String })
    const deed = drive.copy(at('/a'), at('/disk/a'), {
      ...PLAIN,
      signal: stopped.signal,
      onProgress: () => stopped.abort(new Error('gone')),
    })
    expect(await failure(deed)).toContain('gone')
    expect(heard).toEqual(['broken copy /a /disk/a'])
  })

  it('may stand behind one another', async () => {
    const { drive, heard } = await watched({ '/a': 'a' })
    const outer: string[] = []
    const twice = announce(drive, {
      user: null,
      observers: [{ before: (deed) => void outer.push(told(deed)) }],
      onFailure: () => undefined,
    })
    await twice.copy(at('/a'), at('/b'), PLAIN)
    expect([outer, heard.length]).toEqual([['copy /a /b'], 2])
  })
})

async function watched(tree: Record<string, string>, who = {}, extra: Observer = {}) {
  const storage = await plant(tree)
  const heard: ['before' | 'after', Deed][] = []
  const listener: Observer = { before: (deed) => void heard.push(['before', deed]), after: (deed) => void heard.push(['after', deed]) }
  const onFailure = (error: unknown): never => {
    throw error
  }
  const drive: Drive = announce(driveOn(storage, who), { user: ANN, observers: [listener, extra], onFailure })
  return { drive, storage, heard }
}

function told(deed: Deed): string {
  if (deed.kind === 'copy' || deed.kind === 'rename') return `${deed.kind} ${deed.from} ${deed.to}`
  return `${deed.kind} ${deed.path}${deed.kind === 'upload' && deed.folder ? '/' : ''}`
}
