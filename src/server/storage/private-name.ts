import { fail } from '../../shared/errors.ts'
import { type FilePath, segmentsOf } from '../../shared/file-path.ts'

/** The folder of a file system for internal files: staging, trash, versions. */
export const PRIVATE_NAME = '.satchel'

/**
 * Whether a file system could take `name` for the private one: in other case, with characters that case-insensitive disks ignore or fold, or as its
 * FAT short name. Refused in every folder, not only at a file system's root, so that mounting a folder cannot expose one.
 */
export function isPrivateName(name: string): boolean {
  if (!LETTERS_OF_OURS.test(name)) return false
  const folded = name
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    // The lookbehind makes this linear: without it, each dot would start a match attempt.
    .replace(/(?<![. ])[. ]+$/, '')
  return folded === '.SATCHEL' || /^SATCHE~\d$/.test(folded)
}

/** A fast check of bytes before `isPrivateName`: false for nearly every name, without making a string. */
export function couldBePrivate(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!BYTES_OF_OURS[bytes[at] ?? 0]) return false
  return true
}

/** The private name has no other ASCII characters, even after folding. This check alone excludes nearly every name. */
const LETTERS_OF_OURS = /^[.satchel~\d \x80-\uffff]*$/i
const BYTES_OF_OURS = Uint8Array.from({ length: 0x100 }, (_, byte) => Number(LETTERS_OF_OURS.test(String.fromCharCode(byte))))

export function hasPrivateName(path: FilePath): boolean {
  return segmentsOf(path).some(isPrivateName)
}

/** Fails with `not-found` for a path with a private name. */
export function refusePrivate(path: FilePath): void {
  if (hasPrivateName(path)) fail('not-found', {})
}

/** The second name of a staged file that is about to be swapped with a kept one. Unambiguous, because no id has a dot. */
export function incomingName(id: string): string {
  return `${id}${INCOMING}`
}

const INCOMING = '.new'

/** The id of an entry of the staging folder. */
export function stagedIdIn(name: string): string {
  return name.endsWith(INCOMING) ? name.slice(0, -INCOMING.length) : name
}

/** Ids of staged files and kept nodes become file names; they are UUIDs or random letters. */
export function checkStagedId(id: string): void {
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(id)) fail('invalid-input', { issues: ['staged file: not an id'] })
}
