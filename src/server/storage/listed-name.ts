/** How an open folder answers for names. */
export interface Directory {
  /** Of what is found under a name, links not followed; null when nothing is. May throw for a name that cannot be one. */
  identityOf(name: string): string | null
  /** The names that it lists. */
  names(): readonly string[]
}

/**
 * The name by which a folder lists what it finds under `name`: some disks take a name in other case, in another Unicode form, with dots and
 * blanks at its end or cut short for the same, and a rule is about one of them (GHSA-fgm5-pw99-w2p7). `name` itself where nothing is found;
 * null for what is found and yet listed under no name that can be told.
 */
export function listedName(folder: Directory, name: string): string | null {
  const identity = identityOf(folder, name)
  if (identity === null || !mayBeAlias(folder, name)) return name
  const names = folder.names()
  if (names.includes(name)) return name
  const folded = fold(name)
  return names.find((one) => fold(one) === folded) ?? names.find((one) => identityOf(folder, one) === identity) ?? null
}

/** Whether this disk might have found it by another name. A look at one other spelling tells, so that folders need not be read. */
function mayBeAlias(folder: Directory, name: string): boolean {
  const others = [...streamOwner(name), ...otherSpellings(name)]
  return SHORT_NAME.test(name) || others.some((other) => identityOf(folder, other) !== null)
}

/** What FAT and NTFS make of a long name, which is found also where case counts. */
const SHORT_NAME = /^[^.]{1,6}~\d{1,5}(\.[^.]{0,3})?$/

/** NTFS and SMB have streams in a file, as `name:stream`. */
function streamOwner(name: string): string[] {
  const colon = name.indexOf(':')
  return colon > 0 ? [name.slice(0, colon)] : []
}

function otherSpellings(name: string): string[] {
  const swapped = Array.from(name, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())).join('')
  // Without letters it is told by what such disks leave out: a dot at the end, a character that nobody sees.
  return swapped === name ? [`${name}.`, `${name}\u200b`] : [swapped]
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
