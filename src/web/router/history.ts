/** Address without base URL, percent-encoded. */
export interface Location {
  readonly pathname: string
  /** With its `?`, or empty. */
  readonly search: string
  /** With its `#`, or empty. */
  readonly hash: string
  /** State passed to `navigate`; survives a reload. */
  readonly state: unknown
  /** Unique for each history entry. */
  readonly key: string
  /** `pop`: Back, Forward, or the first load. */
  readonly navigationType: 'push' | 'replace' | 'pop'
}

export interface NavigateOptions {
  /** Replaces the current entry. */
  replace?: boolean
  state?: unknown
}

/** Asked before navigating away; returning `true` allows the navigation synchronously. */
export type Blocker = () => true | Promise<boolean>

export interface History {
  location(): Location
  /** @param to an address starting with a slash, without base URL, or a delta in entries */
  navigate(to: string | number, options?: NavigateOptions): void
  /** The full address for the address bar. */
  hrefOf(to: string): string
  isHere(to: string): boolean
  /** @returns unsubscribes */
  subscribe(listener: () => void): () => void
  /** Blocks navigation; the last registered blocker is asked. @returns unblocks */
  block(mayLeave: Blocker): () => void
}

/** The browser APIs that are used. */
export type Browser = Pick<Window, 'history' | 'location' | 'addEventListener'>

/** State of a browser history entry. */
interface Entry {
  usr: unknown
  key: string
  /** Index in this tab, from which the distance of Back is computed. */
  idx: number
}

/** Wraps the browser history. `base` is the base URL without trailing slash, possibly empty. */
export function createHistory(base: string, browser: Browser = window): History {
  const listeners = new Set<() => void>()
  const guards: Blocker[] = []
  let asking = false
  /** The next `popstate` is caused by us: a reverted or an allowed step. */
  let ownStep: 'back' | 'allowed' | null = null

  let entry = entryOf(browser.history.state) ?? { usr: null, key: newKey(), idx: 0 }
  browser.history.replaceState(entry, '')
  let location = here('pop')

  browser.addEventListener('popstate', () => {
    const step = ownStep
    ownStep = null
    if (step === 'back') return
    // In-page anchors create entries without our state; ignore them.
    const next = entryOf(browser.history.state)
    const distance = next === null ? 0 : next.idx - entry.idx
    const leave = step === 'allowed' || distance === 0 || isWithin(browser.location) ? true : mayLeave()
    if (leave === true) {
      entry = next ?? { usr: null, key: newKey(), idx: entry.idx }
      return show('pop')
    }
    // The browser has already moved: go back, and forward again if it is allowed.
    ownStep = 'back'
    browser.history.go(-distance)
    ifAllowed(leave, () => {
      ownStep = 'allowed'
      browser.history.go(distance)
    })
  })

  return {
    location: () => location,
    navigate(to, options = {}) {
      if (typeof to === 'number') return browser.history.go(to)
      const leave = isWithin(urlOf(to)) || mayLeave()
      if (leave === true) go(to, options)
      else ifAllowed(leave, () => go(to, options))
    },
    hrefOf: (to) => base + to,
    isHere: (to) => urlOf(to).href === browser.location.href,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    block(guard) {
      guards.push(guard)
      return () => guards.splice(guards.indexOf(guard), 1)
    },
  }

  function go(to: string, { replace = false, state = null }: NavigateOptions): void {
    entry = { usr: state, key: newKey(), idx: replace ? entry.idx : entry.idx + 1 }
    if (replace) browser.history.replaceState(entry, '', urlOf(to).href)
    else browser.history.pushState(entry, '', urlOf(to).href)
    show(replace ? 'replace' : 'push')
  }

  function show(arrival: Location['navigationType']): void {
    location = here(arrival)
    for (const listener of listeners) listener()
  }

  function here(navigationType: Location['navigationType']): Location {
    const { pathname, search, hash } = browser.location
    return { pathname: pathname.slice(base.length) || '/', search, hash, state: entry.usr, key: entry.key, navigationType }
  }

  /** Another fragment of the same page: not a navigation. */
  function isWithin(url: { pathname: string; search: string }): boolean {
    return url.pathname === base + location.pathname && url.search === location.search
  }

  function mayLeave(): true | Promise<boolean> {
    // One question at a time; further navigation is rejected meanwhile.
    if (asking) return Promise.resolve(false)
    return guards.at(-1)?.() ?? true
  }

  function ifAllowed(answer: Promise<boolean>, then: () => void): void {
    asking = true
    void answer
      .finally(() => {
        asking = false
      })
      .then((allowed) => allowed && then())
  }

  /** Concatenated, because `//host` is a path of this server. */
  function urlOf(to: string): URL {
    return new URL(browser.location.origin + base + to)
  }
}

function entryOf(state: unknown): Entry | null {
  if (typeof state !== 'object' || state === null || !('idx' in state) || !('key' in state)) return null
  // Only this file writes such entries.
  return state as Entry
}

function newKey(): string {
  return Math.random().toString(36).slice(2, 10)
}
