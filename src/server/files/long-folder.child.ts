import { readFileSync } from 'node:fs'
import { keysOfNames } from '../../shared/name-keys.ts'
import { orderOfKeys } from '../../shared/name-order.ts'
import { createPacker, unpackNames } from '../../shared/packed-names.ts'
import { folderColumns } from './folder-columns.ts'
import { pieceOf, piecesOf, rowsOf, withRows } from './folder-text.ts'

/** Puts a long folder in order and writes it, as its thread does; prints how many megabytes that took at most beside the folder itself. */
const ENTRIES = 300_000
const WORDS = ['report', 'отчёт', '文件', 'résumé']

const encoder = new TextEncoder()
const packer = createPacker(ENTRIES)
for (let n = 0; n < ENTRIES; n++) packer.add(encoder.encode(`${WORDS[n % 4]}-${(n * 7919) % ENTRIES}.txt`))
const names = unpackNames(packer.end())
const numbers = new Float64Array(ENTRIES)
const columns = folderColumns({
  names,
  sizes: numbers,
  modified: numbers,
  modes: new Uint32Array(ENTRIES).fill(0o100644),
  linked: new Map(),
})
const head = { path: '/', name: '', size: 0, modified: 0, mode: 0, isSymlink: false }
Bun.gc(true)
const before = megabytes('VmRSS')
const named = orderOfKeys(keysOfNames(names))
const task = { form: 'items', head, sorting: { by: 'name', asc: false }, columns, named } as const
const folder = withRows(task, rowsOf(task))
let bytes = 0
for (let piece = 0; piece < piecesOf(folder); piece++) bytes += pieceOf(folder, piece).length
console.log(JSON.stringify({ bytes, megabytes: megabytes('VmHWM') - before }))

function megabytes(what: string): number {
  return Number(new RegExp(`${what}:\\s*(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
}
