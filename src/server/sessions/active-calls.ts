/** Sign-ins with calls under way in this process. */
export interface ActiveCalls {
  has(family: string): boolean
  families(): string[]
  /** `isAtWork`: the handler is done, but its answer is still being sent for as long as this says so. */
  begin(family: string): { end(isAtWork: (() => boolean) | null): void }
}

type Call = () => boolean

/** Nobody watches more films at once; the oldest is no longer asked about. */
const MAX_CALLS = 100

/** An upload or a film is use, however long it takes: it must not end the sign-in that it belongs to. */
export function createActiveCalls(): ActiveCalls {
  const calls = new Map<string, Set<Call>>()

  function drop(family: string, call: Call): void {
    const all = calls.get(family)
    all?.delete(call)
    if (all?.size === 0) calls.delete(family)
  }

  function has(family: string): boolean {
    for (const call of calls.get(family) ?? []) {
      if (call()) return true
      drop(family, call)
    }
    return false
  }

  return {
    has,
    families: () => [...calls.keys()].filter(has),
    begin(family) {
      let isBusy: Call = () => true
      const call = (): boolean => isBusy()
      const all = calls.get(family) ?? new Set()
      calls.set(family, all.add(call))
      for (const oldest of all) {
        if (all.size <= MAX_CALLS) break
        all.delete(oldest)
      }
      return {
        end(isAtWork) {
          if (isAtWork === null) drop(family, call)
          else isBusy = isAtWork
        },
      }
    },
  }
}
