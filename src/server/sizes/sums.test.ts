import { describe, expect, it } from 'bun:test'
import type { Rule } from '../../shared/contract/users.ts'
import { isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, nameOf, parentOf, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { allow, deny, driveOn, plant, type Who } from '../drive/samples.suite.ts'
import { createMemoryIndex } from '../index/test-memory-index.ts'
import { type IndexedNode, NO_INDEX, type Sums, type TreeIndex } from '../index/tree-index.ts'
import type { Storage } from '../storage/storage.ts'
import { sizesOf } from './sums.ts'

const PATTERN: Rule = { regex: true, allow: false, path: '', regexp: { raw: '/(b|\\.d)[^/]*$' } }
const ALLOWING: Rule = { regex: true, allow: true, path: '', regexp: { raw: '^/a/b$' } }

/** Every way in which something can be hidden, alone and together. */
const PEOPLE: Record<string, Who> = {
  'who sees everything': {},
  'who wants no dotfiles': { hideDotfiles: true },
  'with a denied folder': { rules: [deny('/a/b')] },
  'with a denied file': { rules: [deny('/a/b.txt')] },
  'with a denied folder of which a part is allowed': { rules: [deny('/a'), allow('/a/b')] },
  'with a denied folder that a pattern allows again, but not what is in it': { rules: [deny('/a'), ALLOWING] },
  'with everything denied but one folder': { rules: [deny('/'), allow('/a')] },
  'with a pattern': { rules: [PATTERN] },
  'with a rule in other letters': { rules: [deny('/a/cafe\u0301')] },
  'with a rule of which a folder is another spelling': { rules: [deny('/K/x')] },
  'with a rule and no dotfiles': { rules: [deny('/a/b/c')], hideDotfiles: true },
  'with a scope': { scope: '/a' },
  'with a scope and a rule in it': { scope: '/a', rules: [deny('/b')] },
  'with a scope behind a link': { scope: '/to-a', rules: [deny('/b/c')] },
  'of a share': { scope: '/', start: '/a', rules: [deny('/a/b/c')] },
}

const TREE: Record<string, string> = {
  '/a/b/c/1': 'x'.repeat(1),
  '/a/b/c/2.txt': 'x'.repeat(20),
  '/a/b/.d/3': 'x'.repeat(300),
  '/a/b.txt': 'x'.repeat(4000),
  '/a/.d/b/5': 'x'.repeat(50_000),
  '/a/caf\u00e9/6': 'x'.repeat(600_000),
  '/a/empty/': '',
  '/a/out': '→ /b/7',
  '/a/to-b': '→ b',
  '/b/7': 'x'.repeat(7_000_000),
  // The sign of Kelvin, which is a K in composed form.
  '/\u212a/x/8': 'x'.repeat(80_000),
  '/to-a': '→ a',
  '/to-c': '→ a/b/c',
}
const FOLDERS = [
  '/',
  '/a',
  '/a/b',
  '/a/b/c',
  '/b',
  '/a/to-b',
  '/to-a',
  '/to-a/b',
  '/to-c',
  '/a/b/.d',
  '/b/c',
  '/c',
  '/caf\u00e9',
  '/\u212a',
  '/\u212a/x',
]

describe('the sums of a folder', () => {
  for (const [says, who] of Object.entries(PEOPLE))
    it(`equal those of a walk by the viewer, also for its folders: a user ${says}`, async () => {
      const storage = await plant(TREE)
      const drive = driveOn(storage, who)
      const index = await indexOf(storage)
      for (const path of FOLDERS.map((folder) => at(folder))) {
        const asked = await answer(drive, index, path)
        expect({ path, asked }).toEqual({ path, asked: await counted(drive, storage, path) })
      }
    })

  it('are unknown if the folder is not indexed, without reading the disk', async () => {
    const storage = await plant(TREE)
    for (const who of [{}, { hideDotfiles: true }]) {
      const drive = driveOn(storage, who)
      const subtree = await drive.subtree(ROOT)
      storage.list = () => Promise.reject(new Error('nobody is to look'))
      expect(await sizesOf(NO_INDEX, subtree, { children: true, signal })).toEqual({ sums: null, children: null })
    }
  })

  it('are unknown if a part is not indexed', async () => {
    const storage = await plant(TREE)
    const whole = await indexOf(storage)
    const index: TreeIndex = { ...whole, sums: async (folder, which) => (folder === at('/a') ? null : whole.sums(folder, which)) }
    const subtree = await driveOn(storage, { rules: [deny('/b')] }).subtree(ROOT)
    expect(await sizesOf(index, subtree, { children: true, signal })).toEqual({ sums: null, children: null })
  })

  it('are taken from the index if no rule applies below the folder, with or without dotfiles', async () => {
    const storage = await plant(TREE)
    const index: TreeIndex = { ...(await indexOf(storage)), below: () => Promise.reject(new Error('nobody is to count')) }
    const people: [Who, Partial<Sums>][] = [
      [{}, { files: 8, folders: 7 }],
      [{ rules: [deny('/b')] }, { files: 8, folders: 7 }],
      [
        { rules: [deny('/b')], hideDotfiles: true },
        { files: 6, folders: 4 },
      ],
    ]
    for (const [who, seen] of people) {
      const subtree = await driveOn(storage, who).subtree(at('/a'))
      expect((await sizesOf(index, subtree, { children: true, signal })).sums).toMatchObject(seen)
    }
  })

  it('are refused for files and hidden folders', async () => {
    const drive = driveOn(await plant(TREE), { rules: [deny('/a/b')] })
    for (const path of ['/b/7', '/a/b', '/a/b/c', '/none', '/a/out', '/to-c'])
      await expect(drive.subtree(at(path))).rejects.toMatchObject({ code: 'not-found' })
  })
})

const { signal } = new AbortController()

async function answer(drive: Drive, index: TreeIndex, path: FilePath) {
  const subtree = await unlessHidden(drive.subtree(path))
  if (subtree === null) return null
  const { sums, children } = await sizesOf(index, subtree, { children: true, signal })
  const rows = children?.names.map((name, row) => {
    const { [row]: bytes } = children.bytes
    return [name, { files: children.files[row], folders: children.folders[row], bytes }] as const
  })
  return { sums, children: Object.fromEntries(rows ?? []) }
}

/** The same by way of the walk, which asks the Drive about every node; links count as themselves. */
async function counted(drive: Drive, storage: Storage, path: FilePath) {
  const start = await unlessHidden(drive.place(path, 'follow'))
  if (start === null) return null
  const nodes: IndexedNode[] = []
  for await (const { path: one } of drive.walk(path)) {
    const stat = await storage.stat(await drive.place(one, 'keep'))
    if (stat !== null) nodes.push({ path: one, kind: stat.kind, size: stat.size, modified: stat.modified })
  }
  const folders = nodes.filter(({ kind, path: one }) => kind === 'folder' && parentOf(one) === path)
  const inside = (folder: FilePath) => nodes.filter(({ path: one }) => one !== folder && isWithin(one, folder))
  return { sums: addUp(nodes), children: Object.fromEntries(folders.map(({ path: one }) => [nameOf(one), addUp(inside(one))])) }
}

function addUp(nodes: readonly IndexedNode[]): Sums {
  const others = nodes.filter(({ kind }) => kind !== 'folder')
  return { files: others.length, folders: nodes.length - others.length, bytes: others.reduce((bytes, { size }) => bytes + size, 0) }
}

async function indexOf(storage: Storage): Promise<TreeIndex> {
  const index = createMemoryIndex(storage)
  await index.read()
  return index
}

async function unlessHidden<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (isAppError(error, 'not-found')) return null
    throw error
  }
}
