/** Where one is, without base URL and still percent-encoded. */
export interface Location {
  readonly pathname: string
  /** With its `?`, or empty. */
  readonly search: string
  /** With its `#`, or empty. */
  readonly hash: string
  /** What came along with `navigate`; it outlives a reload. */
  readonly state: unknown
  /** Another one for each entry of the browser's history. */
  readonly key: string
  /** `pop`: by Back, Forward or the first load. */
  readonly navigationType: 'push' | 'replace' | 'pop'
}

export interface NavigateOptions {
  /** In the place of the present entry. */
  replace?: boolean
  state?: unknown
}

/** Asked before one leaves a place; `true` at once lets everything pass. */
export type Blocker = () => true | Promise<boolean>

export interface History {
  location(): Location
  /** @param to an address that begins with a slash and has no base URL, or how many entries forward */
  navigate(to: string | number, options?: NavigateOptions): void
  /** What stands in the address bar for it. */
  hrefOf(to: string): string
  isHere(to: string): boolean
  /** @returns ends it */
  subscribe(listener: () => void): () => void
  /** Whoever came last is asked. @returns ends it */
  block(mayLeave: Blocker): () => void
}

/** What this needs of a browser. */
export type Browser = Pick<Window, 'history' | 'location' | 'addEventListener'>

/** What an entry of the browser's history carries. */
interface Entry {
  usr: unknown
  key: string
  /** Its number in this tab, from which one knows how far Back went. */
  idx: number
}

/** The browser's history as the addresses of the product. `base` is the base URL, empty or without a slash at its end. */
export function createHistory(base: string, browser: Browser = window): History {
  const listeners = new Set<() => void>()
  const guards: Blocker[] = []
  let asking = false
  /** The next `popstate` is our own doing: a step that was taken back, or one that was allowed. */
  let ownStep: 'back' | 'allowed' | null = null

  let entry = entryOf(browser.history.state) ?? { usr: null, key: newKey(), idx: 0 }
  browser.history.replaceState(entry, '')
  let location = here('pop')

  browser.addEventListener('popstate', () => {
    const step = ownStep
    ownStep = null
    if (step === 'back') return
    // An anchor within the page makes an entry of its own, without our mark: it leads nowhere else.
    const next = entryOf(browser.history.state)
    const distance = next === null ? 0 : next.idx - entry.idx
    const leave = step === 'allowed' || distance === 0 || isWithin(browser.location) ? true : mayLeave()
    if (leave === true) {
      entry = next ?? { usr: null, key: newKey(), idx: entry.idx }
      return show('pop')
    }
    // The browser is there already: back, and forth again once it is allowed.
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

  /** Another spot of the same page: nobody leaves anything. */
  function isWithin(url: { pathname: string; search: string }): boolean {
    return url.pathname === base + location.pathname && url.search === location.search
  }

  function mayLeave(): true | Promise<boolean> {
    // One question at a time; whoever goes on meanwhile stays.
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

  /** Put together as text: `//elsewhere` is a path of this very server. */
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
