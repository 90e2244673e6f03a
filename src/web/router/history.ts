import { createTravel } from './travel.ts'

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

/** What is open on a page (dialogs, menus, the drawer): Back closes it, the topmost first, before it leaves the page. */
export interface Layers {
  count(): number
  /** Closes all but the first `count`, the topmost first; they may stay open. */
  closeAbove(count: number): void
  /** @param listener called when the count has changed */
  subscribe(listener: () => void): unknown
}

const NO_LAYERS: Layers = { count: () => 0, closeAbove: () => undefined, subscribe: () => undefined }

/** State of a browser history entry. */
interface Entry {
  usr: unknown
  key: string
  /** Index in this tab, from which the distance of Back is computed. */
  idx: number
  /** Of an entry that stands for something open on the page below it: its place among them, from 1. */
  layer?: number
}

/** How long what is open may take to close: after Back, and after a navigation, which waits for the next screen. */
const CLOSING_MS = 100
const LEAVING_MS = 500

/**
 * Wraps the browser history. Each open layer has an entry of its own with the address of the page, which is gone, or replaced by the next page, when
 * it closes. Only these entries keep Back on the page in every browser: an event of Back cannot be cancelled.
 * @param base the base URL without trailing slash, possibly empty
 */
export function createHistory(base: string, browser: Browser = window, layers: Layers = NO_LAYERS): History {
  const listeners = new Set<() => void>()
  const guards: Blocker[] = []
  const travel = createTravel(browser.history)
  let asking = false

  const first = entryOf(browser.history.state) ?? { usr: null, key: newKey(), idx: 0 }
  /** The entry of the page itself. */
  let page = pageOf(first)
  /** How many entries of layers are below the current one and including it. After a reload they stand for nothing. */
  let depth = first.layer ?? 0
  /** How many there are, with those that Back has left. */
  let reach = depth
  /** Whether the page was replaced while a layer was open, or may have been, so that the entries below do not know it yet. */
  let isStale = depth > 0
  let hasGoneBack = false
  browser.history.replaceState(entryAt(depth), '')
  let location = here('pop')

  let due: ReturnType<typeof setTimeout> | undefined
  // At once, but all that close or open together are one step.
  layers.subscribe(() => queueMicrotask(() => settleIn(0)))
  if (depth > 0) settleIn(0)

  browser.addEventListener('popstate', () => {
    if (travel.arrive()) return
    // In-page anchors create entries without our state; ignore them.
    const next = entryOf(browser.history.state)
    if (next !== null && isOfPage(next)) return moveWithin(next.layer ?? 0)
    const from = page.idx + depth
    const to = next?.idx ?? from
    const leave = to === from || isWithin(browser.location) ? true : mayLeave()
    if (leave === true) return enter(next)
    // The browser has already moved: go back, and forward again if it is allowed.
    travel.go(from - to, () => undefined)
    ifAllowed(leave, () => travel.go(to - page.idx - depth, () => enter(entryOf(browser.history.state))))
  })

  return {
    location: () => location,
    navigate: (to, options = {}) => travel.whenStill(() => navigate(to, options)),
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

  function navigate(to: string | number, options: NavigateOptions): void {
    if (typeof to === 'number') return browser.history.go(to - depth)
    const leave = isWithin(urlOf(to)) || mayLeave()
    if (leave === true) go(to, options)
    else ifAllowed(leave, () => go(to, options))
  }

  function go(to: string, options: NavigateOptions): void {
    const { replace = false, state = null } = options
    if (replace) {
      page = { usr: state, key: newKey(), idx: page.idx }
      browser.history.replaceState(entryAt(depth), '', urlOf(to).href)
      isStale ||= depth > 0
      return show('replace')
    }
    if (depth > 1 || isStale) {
      return travel.go(-depth, () => {
        arriveAt(0)
        go(to, options)
      })
    }
    const isOverLayer = depth === 1
    page = { usr: state, key: newKey(), idx: page.idx + 1 }
    depth = reach = 0
    if (isOverLayer) browser.history.replaceState(page, '', urlOf(to).href)
    else browser.history.pushState(page, '', urlOf(to).href)
    show('push')
    settleIn(LEAVING_MS)
  }

  /** Another page, by Back or Forward. */
  function enter(next: Entry | null): void {
    page = next === null ? { usr: null, key: newKey(), idx: page.idx } : pageOf(next)
    depth = reach = next?.layer ?? 0
    isStale = false
    show('pop')
    settleIn(depth > 0 ? 0 : LEAVING_MS)
  }

  /** The user has gone back or forward between the entries of one page. */
  function moveWithin(layer: number): void {
    hasGoneBack = layer < depth
    arriveAt(layer)
    if (hasGoneBack) layers.closeAbove(layer)
    settleIn(hasGoneBack ? CLOSING_MS : 0)
  }

  function arriveAt(layer: number): void {
    depth = layer
    if (!isStale) return
    const { pathname, search, hash } = location
    browser.history.replaceState(entryAt(depth), '', urlOf(pathname + search + hash).href)
    isStale = depth > 0
  }

  function settleIn(delayMs: number): void {
    clearTimeout(due)
    if (delayMs === 0) travel.whenStill(settle)
    else due = setTimeout(() => travel.whenStill(settle), delayMs)
  }

  /** As many entries as there are layers. */
  function settle(): void {
    const wanted = layers.count()
    // What Back did not close, such as a dialog that is saving, gets its entry back. A new one would need a press or a key: without, browsers pass over it.
    const known = hasGoneBack ? Math.min(wanted, reach) : depth
    hasGoneBack = false
    const to = wanted < depth ? wanted : known
    if (to !== depth) {
      return travel.go(to - depth, () => {
        arriveAt(to)
        settle()
      })
    }
    while (depth < wanted) {
      depth = reach = depth + 1
      browser.history.pushState(entryAt(depth), '', browser.location.href)
    }
  }

  function show(arrival: Location['navigationType']): void {
    location = here(arrival)
    for (const listener of listeners) listener()
  }

  function here(navigationType: Location['navigationType']): Location {
    const { pathname, search, hash } = browser.location
    return { pathname: pathname.slice(base.length) || '/', search, hash, state: page.usr, key: page.key, navigationType }
  }

  function entryAt(layer: number): Entry {
    return layer === 0 ? page : { ...page, idx: page.idx + layer, layer }
  }

  function isOfPage(next: Entry): boolean {
    const { idx, key } = pageOf(next)
    return idx === page.idx && (key === page.key || isStale)
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
      .then((allowed) => allowed && travel.whenStill(then))
  }

  /** Concatenated, because `//host` is a path of this server. */
  function urlOf(to: string): URL {
    return new URL(browser.location.origin + base + to)
  }
}

/** The entry of the page that an entry belongs to. */
function pageOf({ usr, key, idx, layer = 0 }: Entry): Entry {
  return { usr, key, idx: idx - layer }
}

function entryOf(state: unknown): Entry | null {
  if (typeof state !== 'object' || state === null || !('idx' in state) || !('key' in state)) return null
  // Only this file writes such entries.
  return state as Entry
}

function newKey(): string {
  return Math.random().toString(36).slice(2, 10)
}
