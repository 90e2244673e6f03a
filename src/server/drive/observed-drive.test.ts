import { describe, expect, it } from 'bun:test'
import { fail } from '../../shared/errors.ts'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import { failure } from '../storage/test-samples.ts'
import { observedDrive, type Observer } from './observed-drive.ts'
import type { Operation } from './operation.ts'
import type { Drive } from './drive.ts'
import { bytes, deny, driveOn, manifest, plant, PLAIN, put, RENAME, withMount } from './samples.suite.ts'

const ANN = { id: 7, name: 'ann' }

describe('observers', () => {
  it('are called before and after every operation, with its user and paths', async () => {
    const { drive, heard } = await watched({ '/a': 'a' })
    await drive.makeFolder(at('/new/deep'))
    await put(drive, '/b', 'b')
    await drive.save(at('/b'), await bytes(drive, at('/b'), 'c'))
    await drive.copy(at('/a'), at('/b'), RENAME)
    await drive.move(at('/a'), at('/z'), PLAIN)
    await drive.remove(at('/z'))
    expect(heard.map(([when, operation]) => [when, told(operation)].join(' '))).toEqual(
      ['upload /new/deep/', 'upload /b', 'save /b', 'copy /a /b(1)', 'rename /a /z', 'delete /z'].flatMap((operation) => [
        `before ${operation}`,
        `after ${operation}`,
      ]),
    )
    expect(heard.every(([, { user }]) => user === ANN)).toBe(true)
  })

  it('can determine the storage path', async () => {
    const { drive, heard } = await watched({ '/home/a': 'a' }, { scope: '/home' })
    await drive.remove(at('/a'))
    expect(heard.map(([, operation]) => operation.kind === 'delete' && inStorage(operation.access, operation.path))).toEqual([
      at('/home/a'),
      at('/home/a'),
    ])
  })

  it('are not called for operations that were refused or had nothing to do', async () => {
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

  it('can cancel an operation before anything has changed', async () => {
    const { drive, storage, heard } = await watched({ '/a/x': 'x' }, {}, { before: () => fail('hook-failed', { output: 'no' }) })
    const before = await manifest(storage)
    const staged = await bytes(drive, at('/n'), 'n')
    const operations = [
      () => drive.makeFolder(at('/n')),
      () => drive.put(at('/deep/n'), staged, { replace: false }),
      () => drive.save(at('/a/x'), staged),
      () => drive.copy(at('/a'), at('/deep/b'), PLAIN),
      () => drive.move(at('/a'), at('/deep/b'), PLAIN),
      () => drive.remove(at('/a')),
    ]
    for (const operation of operations) expect(await failure(operation())).toBe('hook-failed')
    expect(await manifest(storage)).toEqual(before)
    expect(heard.filter(([when]) => when === 'after')).toEqual([])
  })

  it('may fail after an operation without affecting it or other observers', async () => {
    const failures: string[] = []
    const storage = await plant({ '/a': 'a' })
    const heard: Operation[] = []
    const observers = [
      { after: () => fail('hook-failed', { output: 'late' }) },
      { after: (operation: Operation) => void heard.push(operation) },
    ]
    await observedDrive(driveOn(storage), { user: null, observers, onObserverError: (error) => failures.push(String(error)) }).remove(
      at('/a'),
    )
    expect(failures.length).toBe(1)
    expect(heard.map(told)).toEqual(['delete /a'])
  })

  it('are called if an operation fails midway', async () => {
    const storage = withMount(await plant({ '/a/1': '1', '/a/2': '2', '/disk/': '' }), at('/disk'))
    const heard: string[] = []
    const stopped = new AbortController()
    const observers = [
      { after: () => void heard.push('after'), onError: (operation: Operation) => void heard.push(`onError ${told(operation)}`) },
    ]
    const drive = observedDrive(driveOn(storage), { user: null, observers, onObserverError: String })
    const operation = drive.copy(at('/a'), at('/disk/a'), {
      ...PLAIN,
      signal: stopped.signal,
      onProgress: () => stopped.abort(new Error('gone')),
    })
    expect(await failure(operation)).toContain('gone')
    expect(heard).toEqual(['onError copy /a /disk/a'])
  })

  it('can be nested', async () => {
    const { drive, heard } = await watched({ '/a': 'a' })
    const outer: string[] = []
    const twice = observedDrive(drive, {
      user: null,
      observers: [{ before: (operation) => void outer.push(told(operation)) }],
      onObserverError: () => undefined,
    })
    await twice.copy(at('/a'), at('/b'), PLAIN)
    expect([outer, heard.length]).toEqual([['copy /a /b'], 2])
  })
})

async function watched(tree: Record<string, string>, who = {}, extra: Observer = {}) {
  const storage = await plant(tree)
  const heard: ['before' | 'after', Operation][] = []
  const listener: Observer = {
    before: (operation) => void heard.push(['before', operation]),
    after: (operation) => void heard.push(['after', operation]),
  }
  const onObserverError = (error: unknown): never => {
    throw error
  }
  const drive: Drive = observedDrive(driveOn(storage, who), { user: ANN, observers: [listener, extra], onObserverError })
  return { drive, storage, heard }
}

function told(operation: Operation): string {
  if (operation.kind === 'copy' || operation.kind === 'rename') return `${operation.kind} ${operation.from} ${operation.to}`
  return `${operation.kind} ${operation.path}${operation.kind === 'upload' && operation.folder ? '/' : ''}`
}
