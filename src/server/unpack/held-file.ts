import { randomUUID } from 'node:crypto'
import { closeSync, openSync, rmSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError, codeOf } from '../../shared/errors.ts'
import type { Drive } from '../drive/drive.ts'

type OpenFile = Awaited<ReturnType<Drive['open']>>

/** A local file that can be passed to a program. */
export interface HeldFile extends AsyncDisposable {
  readonly descriptor: number
}

/** Copies a file to a temporary local one if it is not local. */
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

/** The folder for temporary files may be another disk, and full. */
function noRoom(error: unknown): unknown {
  return codeOf(error) === 'ENOSPC' ? new AppError('storage-full', {}, { cause: error }) : error
}
