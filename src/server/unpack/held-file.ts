import { randomUUID } from 'node:crypto'
import { closeSync, openSync, rmSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
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
  const descriptor = await copied(file, path).catch((error: unknown) => {
    rmSync(path, { force: true })
    throw noRoom(error)
  })
  return {
    descriptor,
    async [Symbol.asyncDispose]() {
      closeSync(descriptor)
      unlinkSync(path)
    },
  }
}

async function copied(file: OpenFile, path: string): Promise<number> {
  await Bun.write(path, new Response(file.stream(0, file.stat.size)))
  return openSync(path, 'r')
}

/** The folder for temporary files is another disk perhaps, and full. */
function noRoom(error: unknown): unknown {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  return isFull ? new AppError('storage-full', {}, { cause: error }) : error
}
