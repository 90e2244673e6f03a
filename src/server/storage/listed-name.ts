import { otherSpellings } from '../../shared/other-spellings.ts'

/** How an open folder answers for names. */
export interface Directory {
  /** Of what is found under a name, links not followed; null when nothing is. May throw for a name that cannot be one. */
  identityOf(name: string): string | null
  /** The names that it lists. */
  names(): ReadonlySet<string>
  /**
   * Whether the disk is one that either takes every name as it is written or finds also names in other ASCII case: then one look at another
   * spelling tells which, and the folder need not be read. Of any other disk only the list tells.
   */
  readonly isPlain: boolean
}

/**
 * The name by which a folder lists what it finds under `name`: some disks take a name in other case, in another Unicode form, with dots and
 * blanks at its end or cut short for the same, and a rule is about one of them (GHSA-fgm5-pw99-w2p7). `name` itself where nothing is found;
 * null for what is found and yet listed under no name that can be told. Which names are one is the disk's to say: letters are folded here only
 * to find the likeliest listed name, which then is the one that is judged and opened.
 */
export function listedName(folder: Directory, name: string): string | null {
  const identity = identityOf(folder, name)
  if (identity === null || (folder.isPlain && !isFolded(folder, name, identity))) return name
  const names = folder.names()
  if (names.has(name)) return name
  const folded = fold(name)
  const listed = [...names]
  return listed.find((one) => fold(one) === folded) ?? listed.find((one) => identityOf(folder, one) === identity) ?? null
}

/** Whether the very node is found by another spelling too. */
function isFolded(folder: Directory, name: string, identity: string): boolean {
  return otherSpellings(name).some((other) => identityOf(folder, other) === identity)
}

function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/(?<![. ])[. ]+$/, '')
}

/** What the disk refuses to look for is not there. */
function identityOf(folder: Directory, name: string): string | null {
  try {
    return folder.identityOf(name)
  } catch {
    return null
  }
}
