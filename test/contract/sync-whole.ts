import { type Computer, isConflictCopy, type SyncedServer, synced, treeOf } from './sync-world.ts'

/** What was found after a sync. */
export interface Found {
  readonly files: number
  /** On one of the computers, of files that both sides had changed. */
  readonly conflictCopies: number
  readonly problems: readonly string[]
}

/**
 * Syncs all computers until nothing is left to do, and looks for what is wrong: a computer with another tree than the server's, content that is nowhere any
 * more, and content that is there twice.
 * @param contents every one that has to be somewhere: each file that was ever written and not removed by the same side, and both of a conflict
 * @param options.mayBeTwice content of files that were renamed to different names on two sides, or renamed on one and changed on the other
 */
export async function expectWhole(
  { root }: Pick<SyncedServer, 'root'>,
  computers: readonly Computer[],
  contents: ReadonlySet<string>,
  { mayBeTwice = new Set() }: { mayBeTwice?: ReadonlySet<string> } = {},
): Promise<Found> {
  // What one computer sends, the ones before it have not seen yet.
  for (const computer of [...computers, ...computers]) await synced(computer, { tries: 6 })
  const server = await treeOf(root)
  const problems: string[] = []
  const copies: string[] = []
  for (const [index, { folder }] of computers.entries()) {
    const tree = await treeOf(folder)
    for (const path of new Set([...Object.keys(tree), ...Object.keys(server)])) {
      if (isConflictCopy(path)) copies.push(tree[path] ?? '')
      else if (tree[path] !== server[path])
        problems.push(`computer ${index + 1}: ${path} is ${shown(tree[path])}, not ${shown(server[path])}`)
    }
  }
  const onServer = Object.values(server)
  const everywhere = new Set([...onServer, ...copies])
  for (const content of contents) if (!everywhere.has(content)) problems.push(`${shown(content)} is lost`)
  const seen = new Set<string>()
  for (const content of onServer) {
    if (seen.has(content) && !mayBeTwice.has(content)) problems.push(`${shown(content)} is there twice`)
    if (!contents.has(content) && !mayBeTwice.has(content)) problems.push(`nobody has written ${shown(content)}`)
    seen.add(content)
  }
  return { files: onServer.length, conflictCopies: copies.length, problems }
}

function shown(content: string | undefined): string {
  if (content === undefined) return 'nothing'
  return JSON.stringify(content.length > 60 ? `${content.slice(0, 60)}… (${content.length})` : content)
}
