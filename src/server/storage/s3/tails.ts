import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../../shared/errors.ts'

/** The last bytes of a staged file, which do not fill a part yet. */
export interface Tail {
  /** The position of the first byte in the staged file. */
  readonly offset: number
  readonly size: number
  /** Milliseconds since 1970. */
  readonly changed: number
}

export interface Tails {
  look(id: string): Promise<Tail | null>
  read(id: string): Promise<{ offset: number; bytes: Uint8Array<ArrayBuffer> } | null>
  /** Replaces the tail in one step. */
  write(id: string, offset: number, bytes: Uint8Array, options: { durable: boolean }): Promise<void>
  /** Adds bytes after the first `size` ones, durable when it returns. */
  extend(id: string, size: number, bytes: Uint8Array): Promise<void>
  drop(id: string): Promise<void>
  ids(): Promise<string[]>
}

/** Before the bytes: their offset, as digits. */
const HEADER_BYTES = 16
const INCOMING = '.new'

/** Tails as files of a folder, which is made when it is needed. */
export function createTails(folder: string): Tails {
  const place = (id: string): string => join(folder, id)

  async function ifThere<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null
      throw error
    }
  }

  return {
    look: (id) =>
      ifThere(async () => {
        const [{ size, ctimeMs }, header] = await Promise.all([stat(place(id)), Bun.file(place(id)).slice(0, HEADER_BYTES).text()])
        return { offset: Number(header), size: Math.max(0, size - HEADER_BYTES), changed: ctimeMs }
      }),
    read: (id) =>
      ifThere(async () => {
        const whole = new Uint8Array(await readFile(place(id)))
        return { offset: Number(new TextDecoder().decode(whole.subarray(0, HEADER_BYTES))), bytes: whole.subarray(HEADER_BYTES) }
      }),
    async write(id, offset, bytes, { durable }) {
      const incoming = `${place(id)}${INCOMING}`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = await open(incoming, 'w', 0o600)
      try {
        await file.write(new TextEncoder().encode(String(offset).padEnd(HEADER_BYTES)))
        await file.write(bytes)
        if (durable) await file.datasync()
      } finally {
        await file.close()
      }
      await rename(incoming, place(id))
    },
    async extend(id, size, bytes) {
      const file = await open(place(id), 'r+')
      try {
        await file.write(bytes, 0, bytes.length, HEADER_BYTES + size)
        await file.datasync()
      } finally {
        await file.close()
      }
    },
    drop: (id) => rm(place(id), { force: true }),
    ids: async () => ((await ifThere(() => readdir(folder))) ?? []).filter((name) => !name.endsWith(INCOMING)),
  }
}
