import { expect, it } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDisk } from './disk.ts'
import { createReconciler } from './reconciler.ts'
import { childrenOf, emptyTree, nameOfRow, ROOT_FOLDER } from './tree.ts'

it('R17: a long folder is read in parts, and returned by queries when it is complete', () => {
  const root = mkdtempSync(join(tmpdir(), 'reconciler-'))
  const names = Array.from({ length: 1000 }, (_, at) => `file ${at}`)
  for (const name of names) writeFileSync(join(root, name), '')
  const disk = openDisk(root)
  if (disk === null) throw new Error('no disk')
  const tree = emptyTree()
  const reconciler = createReconciler(tree, disk, { mostWatches: 10, now: Date.now })
  reconciler.begin('new')
  reconciler.step()
  expect(tree.rows).toBeWithin(1, 1000)
  expect(reconciler.isKnown(ROOT_FOLDER)).toBe(false)
  while (reconciler.step() !== 'nothing');
  expect(reconciler.isKnown(ROOT_FOLDER)).toBe(true)
  expect([...childrenOf(tree, ROOT_FOLDER)].map((row) => nameOfRow(tree, row)).toSorted()).toEqual(names.toSorted())
  reconciler.stop()
  disk.close()
  rmSync(root, { recursive: true })
})
