import { childrenOf, FOLDER, folderAt, kindAt, nameOfRow, type Tree } from './tree.ts'

/**
 * A number for everything below a folder: another one as soon as the index knows of anything there that is new, gone, renamed, or has another size, time
 * or node. Two servers that know the same disk compute the same number, and so does one that was started again. Only folders in which something
 * has changed are read again.
 */
export function fingerprintOf(tree: Tree, folder: number): number {
  const { print } = tree.folders
  const waiting = [folder]
  for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
    const missing = (print[next] ?? 0) === 0 ? foldersWithout(tree, next) : []
    for (const one of missing) waiting.push(one)
    if (missing.length > 0) continue
    waiting.pop()
    if ((print[next] ?? 0) === 0) print[next] = computed(tree, next)
  }
  return print[folder] ?? 0
}

function foldersWithout(tree: Tree, folder: number): number[] {
  const found: number[] = []
  for (const row of childrenOf(tree, folder))
    if (kindAt(tree, row) === FOLDER && (tree.folders.print[folderAt(tree, row)] ?? 0) === 0) found.push(folderAt(tree, row))
  return found
}

/** A sum, because the order of the rows says nothing about the disk. */
function computed(tree: Tree, folder: number): number {
  const { folders, size, modified, node } = tree
  let sum = 0n
  for (const row of childrenOf(tree, folder)) {
    const kind = kindAt(tree, row)
    const name = nameOfRow(tree, row)
    const number = folderAt(tree, row)
    const what =
      kind === FOLDER
        ? `${name}/${folders.inode[number] ?? 0}/${folders.print[number] ?? 0}`
        : `${name}/${kind}/${size[row] ?? 0}/${modified[row] ?? 0}/${node[row] ?? 0}`
    sum += Bun.hash(what)
  }
  // 0 stands for a number that is not known.
  return Number(BigInt.asUintN(52, sum)) || 1
}
