import type { Browser } from './history.ts'

/** For tests: one tab. Steps take effect later, as in a browser. */
export function fakeBrowser(address: string) {
  const entries: { state: unknown; url: URL }[] = [{ state: null, url: new URL(address, 'http://here.example') }]
  let at = 0
  let moving: Promise<void> = Promise.resolve()
  const listeners: (() => void)[] = []
  const now = () => {
    const entry = entries[at]
    if (entry === undefined) throw new RangeError('no such entry')
    return entry
  }
  const arrive = async (before: Promise<void>, distance: number) => {
    await before
    at += distance
    for (const listener of listeners) listener()
  }
  const history = {
    get state(): unknown {
      return now().state
    },
    pushState(state: unknown, _: string, url: string) {
      entries.splice(at + 1, entries.length, { state, url: new URL(url) })
      at += 1
    },
    replaceState(state: unknown, _: string, url: string = now().url.href) {
      entries[at] = { state, url: new URL(url) }
    },
    go(distance: number) {
      moving = arrive(moving, distance)
    },
  }
  const browser = {
    history,
    get location() {
      return now().url
    },
    addEventListener: (_: string, listener: () => void) => void listeners.push(listener),
  }
  return {
    // What the history asks of a browser is in here; the rest of `Window` it never touches.
    ...(browser as unknown as Browser),
    get location() {
      return now().url as unknown as Browser['location']
    },
    bar: () => now().url.pathname,
    /** The page goes, its history stays. */
    reload: () => void listeners.splice(0),
    async step(distance: number) {
      history.go(distance)
      await this.settled()
    },
    /** Until a step and those that it led to have been taken. */
    async settled() {
      for (let before = null as Promise<void> | null; before !== moving; await before) before = moving
    },
  }
}
