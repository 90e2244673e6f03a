import { expect, it } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { type FilePath, parseFilePath as at } from '../../shared/file-path.ts'
import { createLocalStorage } from '../storage/local.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { failure, write } from '../storage/test-samples.ts'
import type { Storage } from '../storage/storage.ts'
import type { Drive } from './drive.ts'
import { deny, driveOn, manifest, put } from './samples.suite.ts'

type Operation = {
  verb: 'put' | 'makeFolder' | 'remove' | 'copy' | 'move'
  path: FilePath
  to: FilePath
  replace: boolean
  rename: boolean
}

const FOLDERS = ['/ann', '/ann/a', '/ann/a/b', '/ann/no', '/ann/a/no', '/bob']
const FILES = ['/ann/f', '/ann/a/f', '/ann/a/b/f', '/ann/no/f', '/ann/a/no/f', '/bob/f']
const LINKS = { '/ann/l': 'a', '/ann/a/l': '../no', '/ann/a/b/l': '../../../bob', '/ann/a/k': 'f', '/ann/k': 'l/b' }

it('random operations have the same outcome on a disk and in memory, and never change denied or outside nodes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operations(), { minLength: 1, maxLength: 8 }), async (script) => {
      const root = await mkdtemp(join(tmpdir(), 'drive-'))
      try {
        const memory = createMemoryStorage()
        const local = createLocalStorage(root)
        await plantWorld(memory, memory.plantLink)
        await plantWorld(local, async (path, target) => symlinkSync(target, root + path))
        const before = kept(await manifest(memory))
        for (const operation of script)
          expect([operation, await outcome(local, operation)]).toEqual([operation, await outcome(memory, operation)])
        const after = await manifest(memory)
        expect(await manifest(local)).toEqual(after)
        expect(kept(after)).toEqual(before)
      } finally {
        await rm(root, { recursive: true })
      }
    }),
    { numRuns: 150 },
  )
}, 300_000)

async function plantWorld(storage: Storage, plantLink: (path: FilePath, target: string) => Promise<void>): Promise<void> {
  for (const path of FOLDERS) await storage.makeFolder(at(path))
  for (const path of FILES) await write(storage, at(path), path)
  for (const [path, target] of Object.entries(LINKS)) await plantLink(at(path), target)
}

async function outcome(storage: Storage, operation: Operation): Promise<string> {
  return failure(act(driveOn(storage, { scope: '/ann', rules: [deny('/no'), deny('/a/no')] }), operation))
}

async function act(drive: Drive, { verb, path, to, ...options }: Operation): Promise<unknown> {
  if (verb === 'put') return put(drive, path, `put ${path}`, options)
  if (verb === 'copy' || verb === 'move') return drive[verb](path, to, options)
  return drive[verb](path)
}

/** What nobody may have touched. */
function kept(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => /^\/ann\/(a\/)?no\/|^\/bob\//.test(path)))
}

function operations(): fc.Arbitrary<Operation> {
  const verb = fc.constantFrom('put' as const, 'makeFolder' as const, 'remove' as const, 'copy' as const, 'move' as const)
  return fc.record({ verb, path: paths(), to: paths(), replace: fc.boolean(), rename: fc.boolean() })
}

function paths(): fc.Arbitrary<FilePath> {
  return fc
    .array(fc.constantFrom('a', 'b', 'f', 'l', 'k', 'no', 'n'), { minLength: 1, maxLength: 4 })
    .map((names) => at(`/${names.join('/')}`))
}
