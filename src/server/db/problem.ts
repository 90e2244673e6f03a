/** The database cannot be used, described in one line for the terminal. */
export class DatabaseProblem extends Error {
  override readonly name = 'DatabaseProblem'
}
