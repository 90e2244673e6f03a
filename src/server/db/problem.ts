/** The database cannot be used as it is, told in one line for the person at the terminal. */
export class DatabaseProblem extends Error {
  override readonly name = 'DatabaseProblem'
}
