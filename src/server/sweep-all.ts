/** Does each of the sweeps, whatever becomes of the others; a failure is one line that names it. */
export async function sweepAll(sweeps: Readonly<Record<string, () => Promise<unknown>>>, log: (line: string) => void): Promise<void> {
  for (const [name, sweep] of Object.entries(sweeps)) {
    try {
      await sweep()
    } catch (error) {
      log(`sweeping ${name} failed: ${String(error)}`)
    }
  }
}
