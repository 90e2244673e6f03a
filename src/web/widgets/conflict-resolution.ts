/** How to resolve a name conflict. */
export type ConflictAnswer = 'replace' | 'keep-both' | 'skip'

/** A choice: an answer, or keep the newer one. */
export type ConflictChoice = ConflictAnswer | 'only-newer'

/** One of two entries with the same name. */
export interface Version {
  readonly isFolder: boolean
  /** In bytes; meaningless for folders. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Address of a thumbnail, or a local file to create one from; null if there is none. */
  readonly picture: string | Blob | null
}

/** A name that already exists in the destination. */
export interface Conflict<Key> {
  /** Key of the answer. */
  readonly key: Key
  readonly name: string
  readonly existing: Version
  /** Null if unknown. */
  readonly incoming: Version | null
  /** The existing one cannot be replaced, whatever the rights. */
  readonly keepsExisting?: boolean
}

/** State of the dialog: open conflicts, the current one first, and the answers so far. */
export interface ConflictResolution<Key> {
  readonly open: readonly Conflict<Key>[]
  readonly answers: ReadonlyMap<Key, ConflictAnswer>
}

const CHOICES = ['keep-both', 'replace', 'only-newer', 'skip'] as const satisfies ConflictChoice[]

export function startResolution<Key>(conflicts: readonly Conflict<Key>[]): ConflictResolution<Key> {
  return { open: conflicts, answers: new Map() }
}

/** A folder and a file cannot replace each other, and only files can be compared by age. */
export function choicesFor(conflict: Conflict<unknown>, { mayReplace }: { mayReplace: boolean }): ConflictChoice[] {
  const { existing, incoming, keepsExisting = false } = conflict
  const alike = incoming === null || incoming.isFolder === existing.isFolder
  const replace = mayReplace && alike && !keepsExisting
  return CHOICES.filter((choice) => {
    if (choice === 'replace') return replace
    return choice !== 'only-newer' || (replace && incoming !== null && !existing.isFolder)
  })
}

/** The preselected choice: keeps the newer one, and loses nothing if that is the existing one. */
export function suggestion({ open }: ConflictResolution<unknown>, options: { mayReplace: boolean }): ConflictChoice {
  const [conflict] = open
  if (conflict === undefined || !isNewer(conflict) || !choicesFor(conflict, options).includes('only-newer')) return 'keep-both'
  return open.length > 1 ? 'only-newer' : 'replace'
}

/** The following conflicts to which the same choice applies. */
export function alsoFor<Key>({ open }: ConflictResolution<Key>, choice: ConflictChoice, options: { mayReplace: boolean }): Conflict<Key>[] {
  return open.slice(1).filter((conflict) => choicesFor(conflict, options).includes(choice))
}

/** Answers the current conflict and those in `also`. */
export function decide<Key>(
  resolution: ConflictResolution<Key>,
  choice: ConflictChoice,
  also: readonly Conflict<Key>[] = [],
): ConflictResolution<Key> {
  const decided = new Set([...resolution.open.slice(0, 1), ...also])
  const answers = [...decided].map((conflict): [Key, ConflictAnswer] => [conflict.key, answerOf(choice, conflict)])
  return { open: resolution.open.filter((conflict) => !decided.has(conflict)), answers: new Map([...resolution.answers, ...answers]) }
}

function answerOf(choice: ConflictChoice, conflict: Conflict<unknown>): ConflictAnswer {
  if (choice !== 'only-newer') return choice
  return isNewer(conflict) ? 'replace' : 'skip'
}

function isNewer({ existing, incoming }: Conflict<unknown>): boolean {
  return incoming !== null && incoming.modified > existing.modified
}
