import { fail } from '../../shared/errors.ts'
import { type FilePath, segmentsOf } from '../../shared/file-path.ts'

/** Where a file system keeps what is no user's: staging, trash, versions. */
export const PRIVATE_NAME = '.satchel'

/**
 * Whether a file system could take `name` for ours: in other case, with characters that case-blind disks ignore or fold, or as the short name
 * that FAT makes of it. Refused everywhere, not only at a file system's root: nobody misses the name, and no mount can bring it to a root.
 */
export function isPrivateName(name: string): boolean {
  if (!LETTERS_OF_OURS.test(name)) return false
  const folded = name
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    // Looked at once: without the look behind, from each dot on to the end.
    .replace(/(?<![. ])[. ]+$/, '')
  return folded === '.SATCHEL' || /^SATCHE~\d$/.test(folded)
}

/** The same question of bytes, which are asked about first: no for nearly every name, without a text of it. */
export function couldBePrivate(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!BYTES_OF_OURS[bytes[at] ?? 0]) return false
  return true
}

/** Any other ASCII character stays what it is, and is in no name of ours: nearly every name is told by this alone. */
const LETTERS_OF_OURS = /^[.satchel~\d \x80-\uffff]*$/i
const BYTES_OF_OURS = Uint8Array.from({ length: 0x100 }, (_, byte) => Number(LETTERS_OF_OURS.test(String.fromCharCode(byte))))

export function hasPrivateName(path: FilePath): boolean {
  return segmentsOf(path).some(isPrivateName)
}

/** Fails with `not-found` for a path with a name of ours. */
export function refusePrivate(path: FilePath): void {
  if (hasPrivateName(path)) fail('not-found', {})
}

/** The second name of a staged file that is about to change places with one that is kept. No id has a dot. */
export function incomingName(id: string): string {
  return `${id}${INCOMING}`
}

const INCOMING = '.new'

/** The id that an entry of the staging folder belongs to. */
export function stagedIdIn(name: string): string {
  return name.endsWith(INCOMING) ? name.slice(0, -INCOMING.length) : name
}

/** Ids of staged files and kept nodes become names on the disk; ours are UUIDs or random letters. */
export function checkStagedId(id: string): void {
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(id)) fail('invalid-input', { issues: ['staged file: not an id'] })
}
