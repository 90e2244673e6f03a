type Call = () => boolean

/** Nobody watches more films at once; the oldest call is dropped. */
const MAX_CALLS = 100

/** Sign-ins with calls in progress in this process. An upload or a film counts as use, however long it takes: it must not end its own sign-in. */
export function createActiveCalls() {
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
    families: (): string[] => [...calls.keys()].filter(has),
    /** `isAtWork` tells whether the response is still being sent after the handler has ended. */
    begin(family: string): { end(isAtWork: (() => boolean) | null): void } {
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
