/** What becomes of what wants to go where its name is taken. */
export type ConflictAnswer = 'replace' | 'keep-both' | 'skip'

/** What can be chosen: an answer, or to let the newer of the two decide. */
export type ConflictChoice = ConflictAnswer | 'only-newer'

/** One of two things of the same name. */
export interface Version {
  readonly isFolder: boolean
  /** Bytes; of a folder it says nothing. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** The address of a small picture of it, or a file of this machine to make one from; null where there is none. */
  readonly picture: string | Blob | null
}

/** A name that is taken where something wants to go. */
export interface Conflict<Key> {
  /** What the answer is filed under. */
  readonly key: Key
  readonly name: string
  readonly existing: Version
  /** Null where nobody has looked at it. */
  readonly incoming: Version | null
}

/** Going through conflicts: what is still to be asked, the one on show first, and what has been answered. */
export interface ConflictResolution<Key> {
  readonly open: readonly Conflict<Key>[]
  readonly answers: ReadonlyMap<Key, ConflictAnswer>
}

const CHOICES = ['keep-both', 'replace', 'only-newer', 'skip'] as const satisfies ConflictChoice[]

export function startResolution<Key>(conflicts: readonly Conflict<Key>[]): ConflictResolution<Key> {
  return { open: conflicts, answers: new Map() }
}

/** A folder and a file never take each other's place, and only files are newer or older as a whole. */
export function choicesFor({ existing, incoming }: Conflict<unknown>, { mayReplace }: { mayReplace: boolean }): ConflictChoice[] {
  const alike = incoming === null || incoming.isFolder === existing.isFolder
  const replace = mayReplace && alike
  return CHOICES.filter((choice) => {
    if (choice === 'replace') return replace
    return choice !== 'only-newer' || (replace && incoming !== null && !existing.isFolder)
  })
}

/** What is chosen before anybody chose: the newer of the two should survive, and nothing be lost where that is the old one. */
export function suggestion({ open }: ConflictResolution<unknown>, options: { mayReplace: boolean }): ConflictChoice {
  const [conflict] = open
  if (conflict === undefined || !isNewer(conflict) || !choicesFor(conflict, options).includes('only-newer')) return 'keep-both'
  return open.length > 1 ? 'only-newer' : 'replace'
}

/** The conflicts after the one on show that could be answered alike. */
export function alsoFor<Key>({ open }: ConflictResolution<Key>, choice: ConflictChoice, options: { mayReplace: boolean }): Conflict<Key>[] {
  return open.slice(1).filter((conflict) => choicesFor(conflict, options).includes(choice))
}

/** Answers the conflict on show and those of `also`; whatever is left is still to be asked. */
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
