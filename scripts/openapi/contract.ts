import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Comments, readComments } from './comments.ts'
import type { ContractFile } from './schemas.ts'

const CONTRACT = join(import.meta.dir, '../../src/shared/contract')

/** The files of the contract with their comments, and the comments of each area of calls by its name. */
export async function readContract(): Promise<{ files: ContractFile[]; comments: ReadonlyMap<string, Comments> }> {
  const comments = new Map<string, Comments>()
  const files: ContractFile[] = []
  for (const file of readdirSync(CONTRACT).filter((name) => /^[a-z-]+\.ts$/.test(name) && name !== 'index.ts')) {
    const name = file.slice(0, -'.ts'.length)
    const exports: Record<string, unknown> = await import(join(CONTRACT, file))
    const said = readComments(name)
    files.push({ exports, comments: said })
    for (const area of Object.keys(exports)) comments.set(area, said)
  }
  return { files, comments }
}
