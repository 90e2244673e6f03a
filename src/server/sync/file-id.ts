/** After the number of a file, as clients expect the mark of a server. */
const SERVER = 'satchel'

/**
 * The number of a file or folder, which it keeps when it is renamed or moved: from the node itself. Replacing the content makes another node, with another
 * number. Where the disk knows no identity, the path stands for it.
 */
export function fileNumberOf({ identity, path }: { identity: string; path: string }): string {
  const hash = Bun.hash(identity === '' ? path : identity)
  // Clients keep it as a signed number of 64 bits.
  return BigInt.asUintN(63, hash).toString()
}

/** The number with the mark of the server, by which clients find what was renamed. */
export function fileIdOf(node: { identity: string; path: string }): string {
  return `${fileNumberOf(node).padStart(8, '0')}${SERVER}`
}
