import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const SUMS_FILE = 'SHA256SUMS'
/** Downloads of earlier runs: packages of Debian, and tools that try the release. */
const KEPT = ['debian', 'tools']

/** Makes the folder, or removes what earlier runs made: other versions, and targets that are not made this time. */
export function emptyOutput(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (!KEPT.includes(name)) rmSync(join(folder, name), { recursive: true })
}

/** Writes the checksums of all files in the folder, as `sha256sum` does. @returns the text */
export function writeSums(folder: string): string {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const names = files.map(({ name }) => name).toSorted()
  const sums = names.map((name) => `${sha256Of(join(folder, name))}  ${name}\n`).join('')
  writeFileSync(join(folder, SUMS_FILE), sums)
  return sums
}

function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
