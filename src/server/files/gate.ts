/** Runs a job when one of few places is free; the others wait in line. */
export type Gate = <T>(job: () => Promise<T>) => Promise<T>

/** For work that holds much memory at a time. */
export function createGate(places: number): Gate {
  const line: (() => void)[] = []
  let free = places
  return async (job) => {
    if (free > 0) free--
    else await new Promise<void>((enter) => line.push(enter))
    try {
      return await job()
    } finally {
      const next = line.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
