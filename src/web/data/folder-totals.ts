import * as z from 'zod/mini'
import { errorFrom } from '../../shared/contract/invoke.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { RecursiveItem, resources } from '../../shared/contract/resources.ts'
import { AppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { send } from './client.ts'
import { createJsonObjectParser } from './json-object-parser.ts'

/** Recursive totals of folders. */
export interface Totals {
  readonly folders: number
  readonly files: number
  /** Of the files. */
  readonly bytes: number
}

/** Counts everything below a folder and reports intermediate totals; links count as their targets. Fails with `offline` if the connection drops. */
export async function readTotals(
  path: FilePath,
  { signal, onSum }: { signal: AbortSignal; onSum: (sum: Totals) => void },
): Promise<Totals> {
  let sum: Totals = { folders: 0, files: 0, bytes: 0 }
  for await (const items of readSubtree(path, signal)) {
    for (const item of items) sum = addEntry(sum, item)
    onSum(sum)
  }
  return sum
}

/** Streams everything below a folder. Fails with `offline` if the connection drops. */
export async function* readSubtree(path: FilePath, signal: AbortSignal): AsyncGenerator<RecursiveItem[], void> {
  const response = await send(href(resources.recursive, { params: { path } }), { headers: { accept: 'application/json' }, signal })
  if (!response.ok) throw await errorFrom(response)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = createJsonObjectParser()
  let last = ''
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    yield read(piece.value).map((object) => z.parse(RecursiveItem, object))
    last = piece.value
  }
  if (!last.endsWith(']')) throw new AppError('offline', {})
}

export function addTotals(a: Totals, b: Totals): Totals {
  return { folders: a.folders + b.folders, files: a.files + b.files, bytes: a.bytes + b.bytes }
}

export function addEntry({ folders, files, bytes }: Totals, { isDir, size }: RecursiveItem): Totals {
  return isDir ? { folders: folders + 1, files, bytes } : { folders, files: files + 1, bytes: bytes + size }
}
