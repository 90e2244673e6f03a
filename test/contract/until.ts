const PAUSE_MS = 10

/** Until it is so; the runner's own limit ends a wait that never will. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(PAUSE_MS)
}
