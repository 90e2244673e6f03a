/** Kills a program that was started `detached`, and so leads its own process group, with everything in the group. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
