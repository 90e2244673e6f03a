/**
 * Runs a program to its end, also if it waits for something that never happens. A module must not await it: with a top-level await, Bun 1.4 spins
 * forever when nothing is left to wait for, and after an uncaught error.
 */
export function runProgram(main: () => Promise<void>): void {
  main().then(
    () => process.exit(),
    () => process.exit(1),
  )
}
