/**
 * Runs a program to its end, and ends it where it waits for what never comes. A module must not await it: while one awaits, Bun 1.4 goes on for
 * ever, with a whole processor for itself, when there is nothing left to wait for and after what nobody caught.
 */
export function runProgram(main: () => Promise<void>): void {
  main().then(
    () => process.exit(),
    () => process.exit(1),
  )
}
