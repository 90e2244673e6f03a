import * as z from 'zod/mini'
import { errorFrom } from '../../shared/contract/client.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { RecursiveItem, resources } from '../../shared/contract/resources.ts'
import { AppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { send } from './client.ts'
import { createObjectReader } from './objects.ts'

/** What lies in folders, all the way down. */
export interface Sum {
  readonly folders: number
  readonly files: number
  /** Of the files. */
  readonly bytes: number
}

/** Counts what lies below a folder and tells how far it has come; links count as what they lead to. Fails with `offline` when the line drops. */
export async function sumBelow(path: FilePath, { signal, onSum }: { signal: AbortSignal; onSum: (sum: Sum) => void }): Promise<Sum> {
  let sum: Sum = { folders: 0, files: 0, bytes: 0 }
  for await (const items of readTree(path, signal)) {
    for (const item of items) sum = added(sum, item)
    onSum(sum)
  }
  return sum
}

/** Everything below a folder, as it comes. Fails with `offline` when the line drops. */
export async function* readTree(path: FilePath, signal: AbortSignal): AsyncGenerator<RecursiveItem[], void> {
  const response = await send(href(resources.recursive, { params: { path } }), { headers: { accept: 'application/json' }, signal })
  if (!response.ok) throw await errorFrom(response)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = createObjectReader()
  let last = ''
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    yield read(piece.value).map((object) => z.parse(RecursiveItem, object))
    last = piece.value
  }
  if (!last.endsWith(']')) throw new AppError('offline', {})
}

export function plus(a: Sum, b: Sum): Sum {
  return { folders: a.folders + b.folders, files: a.files + b.files, bytes: a.bytes + b.bytes }
}

export function added({ folders, files, bytes }: Sum, { isDir, size }: RecursiveItem): Sum {
  return isDir ? { folders: folders + 1, files, bytes } : { folders, files: files + 1, bytes: bytes + size }
}
