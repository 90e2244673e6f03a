/** Whether somebody with this list may run that program: whole words, compared exactly (GHSA-w7qc-6grj-w7r8). */
export function mayRun(program: string, allowed: readonly string[]): boolean {
  return allowed.includes(program)
}
