/** Ends a program that was started `detached`, which leads a group of its own, with everything it started in it. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
