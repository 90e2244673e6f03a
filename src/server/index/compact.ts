import { emptyLike } from './columns.ts'
import { copyName } from './names.ts'
import { addFolder, childrenOf, emptyTree, FOLDER, folderAt, hasBothNames, kindAt, NO_FOLDER, ROOT_FOLDER, type Tree } from './tree.ts'

/**
 * The same tree without removed rows. Rows and folder numbers change.
 * @returns the new number for each old folder number; `NO_FOLDER` for those that have gone
 */
export function compact(tree: Tree): Uint32Array {
  const numbers = new Uint32Array(tree.folders.count).fill(NO_FOLDER)
  numbers[ROOT_FOLDER] = ROOT_FOLDER
  const left = emptyTree()
  const rows = tree.rows - tree.removed
  for (const column of ['parent', 'start', 'node', 'next'] as const) left[column] = emptyLike(tree[column], rows)
  for (const column of ['size', 'modified'] as const) left[column] = emptyLike(tree[column], rows)
  left.flags = emptyLike(tree.flags, rows)
  const waiting: { from: number; to: number }[] = [{ from: ROOT_FOLDER, to: ROOT_FOLDER }]
  copyFolder(tree, left, { from: ROOT_FOLDER, to: ROOT_FOLDER })
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { from, to } = next
    for (const row of childrenOf(tree, from)) {
      const now = left.rows++
      left.parent[now] = to
      left.start[now] = copyName(left.names, tree.names, tree.start[row] ?? 0, hasBothNames(tree, row))
      left.flags[now] = tree.flags[row] ?? 0
      left.size[now] = tree.size[row] ?? 0
      left.modified[now] = tree.modified[row] ?? 0
      left.node[now] = tree.node[row] ?? 0
      left.next[now] = left.folders.first[to] ?? 0
      left.folders.first[to] = now + 1
      if (kindAt(tree, row) !== FOLDER) continue
      const folder = { from: folderAt(tree, row), to: addFolder(left, now, 0) }
      numbers[folder.from] = folder.to
      left.size[now] = folder.to
      copyFolder(tree, left, folder)
      waiting.push(folder)
    }
  }
  // Existing references to the tree or its folders stay valid.
  const { folders, ...columns } = left
  Object.assign(tree.folders, folders)
  Object.assign(tree, columns)
  return numbers
}

/** All columns except its row and first child. */
function copyFolder({ folders: old }: Tree, { folders }: Tree, { from, to }: { from: number; to: number }): void {
  for (const column of ['size', 'inode', 'changed', 'fileSum', 'folderSum', 'byteSum', 'state', 'watch'] as const)
    folders[column][to] = old[column][from] ?? 0
}
