/** Runs all sweeps, even if some fail; a failure is logged with its name. */
export async function sweepAll(sweeps: Readonly<Record<string, () => Promise<unknown>>>, log: (line: string) => void): Promise<void> {
  for (const [name, sweep] of Object.entries(sweeps)) {
    try {
      await sweep()
    } catch (error) {
      log(`sweeping ${name} failed: ${String(error)}`)
    }
  }
}
