import { expect, it } from 'bun:test'
import { compact } from './compact.ts'
import { childrenOf, emptyTree, FILE, FOLDER, folderAt, insert, nameOfRow, NO_FOLDER, remove, ROOT_FOLDER, type Tree } from './tree.ts'

it('a compacted tree has the same content, and maps old folder numbers to new ones', () => {
  const tree = emptyTree()
  const gone = addFolder(tree, ROOT_FOLDER, 'gone')
  add(tree, gone, 'old.txt')
  const kept = addFolder(tree, ROOT_FOLDER, 'kept')
  const deep = addFolder(tree, kept, 'deep')
  add(tree, deep, 'Straße.txt')
  remove(tree, tree.folders.row[gone] ?? 0, { onGone: () => undefined, onShared: () => undefined })

  const numbers = compact(tree)
  expect([numbers[ROOT_FOLDER], numbers[gone]]).toEqual([ROOT_FOLDER, NO_FOLDER])
  expect([tree.rows, tree.removed, tree.folders.count]).toEqual([3, 0, 3])
  expect(namesIn(tree, ROOT_FOLDER)).toEqual(['kept'])
  expect(namesIn(tree, numbers[kept] ?? 0)).toEqual(['deep'])
  expect(namesIn(tree, numbers[deep] ?? 0)).toEqual(['Straße.txt'])
  expect([tree.folders.fileSum[ROOT_FOLDER], tree.folders.byteSum[numbers[kept] ?? 0]]).toEqual([1, 10])
})

function addFolder(tree: Tree, folder: number, name: string): number {
  return folderAt(tree, insert(tree, folder, { name, kind: FOLDER, size: 0, modified: 0, inode: tree.rows, isShared: false }))
}

function add(tree: Tree, folder: number, name: string): void {
  insert(tree, folder, { name, kind: FILE, size: 10, modified: 0, inode: tree.rows, isShared: false })
}

function namesIn(tree: Tree, folder: number): string[] {
  return [...childrenOf(tree, folder)].map((row) => nameOfRow(tree, row))
}
