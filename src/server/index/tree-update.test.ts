import { expect, it } from 'bun:test'
import { rowsByName } from './rows-by-name.ts'
import { beginUpdate } from './tree-update.ts'
import { emptyTree, FILE, insert, ROOT_FOLDER, type Seen } from './tree.ts'

it('a hard-linked node is checked again when one of its names has become another node', () => {
  const tree = emptyTree()
  const twin: Seen = { name: 'a', kind: FILE, size: 1, modified: 1, inode: 2 ** 33 + 7, isShared: true }
  for (const name of ['a', 'b']) insert(tree, ROOT_FOLDER, { ...twin, name })
  const looked: number[] = []
  const events = { onGone: () => undefined, onShared: (node: number) => looked.push(node), onNew: () => undefined, isMoved: () => false }
  const update = beginUpdate(tree, events)
  update.see(ROOT_FOLDER, { ...twin, inode: 8, isShared: false }, rowsByName(tree, ROOT_FOLDER, new Set('a')))
  update.end()
  expect(looked).toEqual([7])
})
