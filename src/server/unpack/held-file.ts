import { randomUUID } from 'node:crypto'
import { closeSync, openSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Drive } from '../drive/drive.ts'

type OpenFile = Awaited<ReturnType<Drive['open']>>

/** A file of this machine that a program can be given. */
export interface HeldFile extends AsyncDisposable {
  readonly descriptor: number
}

/** What is no file of this machine is copied to one for the time being. */
export async function holdFile(file: OpenFile): Promise<HeldFile> {
  if (file.descriptor !== null) return { descriptor: file.descriptor, [Symbol.asyncDispose]: async () => undefined }
  const path = join(tmpdir(), `satchel-${randomUUID()}`)
  await Bun.write(path, new Response(file.stream(0, file.stat.size)))
  const descriptor = openSync(path, 'r')
  return {
    descriptor,
    async [Symbol.asyncDispose]() {
      closeSync(descriptor)
      unlinkSync(path)
    },
  }
}
