/**
 * The service worker, by hand: built files are kept for good, because their names hold a hash of their content; without a network, the page
 * that the application left for that case (app/offline.ts). Calls and pages are never kept: they go through untouched.
 */
const BASE = new URL(self.registration.scope).pathname
const CACHE = `satchel ${BASE}`
const ASSETS = `${BASE}static/assets/`
const OFFLINE = `${BASE}offline`
/** What an upgrade left behind goes, the oldest first. */
const MOST_ASSETS = 300

self.addEventListener('install', (event) => {
  self.skipWaiting()
  // Where the browser knows static routes, a call does not even come by here: that took longer than many an answer.
  const calls = { urlPattern: { pathname: `${BASE.replace(/[\\{}()*+?:]/g, '\\$&')}api/*` } }
  event.addRoutes?.({ condition: calls, source: 'network' })
})
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (pathname.startsWith(ASSETS)) event.respondWith(asset(event))
  else if (request.mode === 'navigate' && !pathname.startsWith(`${BASE}api/`)) event.respondWith(page(request))
})

/** From the cache, else from the server. */
async function asset(event) {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(event.request, { ignoreVary: true })
  if (kept !== undefined) return kept
  const response = await fetch(event.request)
  // Only what is whole and ours: no range, no sign-in page of a proxy in front.
  if (response.status === 200 && response.type === 'basic' && !response.redirected) {
    event.waitUntil(keep(cache, event.request, response.clone()))
  }
  return response
}

async function keep(cache, request, response) {
  try {
    await cache.put(request, response)
    const assets = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(ASSETS))
    await Promise.all(assets.slice(0, -MOST_ASSETS).map((old) => cache.delete(old)))
  } catch {
    // No room is no failure: the browser asks the server again.
  }
}

async function page(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const cache = await caches.open(CACHE)
    const offline = await cache.match(OFFLINE)
    if (offline === undefined) throw error
    return offline
  }
}
