/**
 * What went wrong with a directory. `away`: it cannot be reached, does not answer, or is not trusted; `wrong`: it answers, but not as configured;
 * `refused`: it does not accept the name and password.
 */
export class DirectoryProblem extends Error {
  readonly kind: 'away' | 'wrong' | 'refused'

  /** @param message for administrators, in English */
  constructor(kind: DirectoryProblem['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DirectoryProblem'
    this.kind = kind
  }
}

/** What an error says to an administrator. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}
