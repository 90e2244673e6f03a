import { fail } from '../../shared/errors.ts'

/**
 * Sign-in and signup need no token, so a page of somebody else could send them: refused with `forbidden`.
 * The browser's own word counts (`Sec-Fetch-Site`); where it says nothing (plain HTTP) the Origin must be this host.
 * Programs send neither and pass.
 */
export function refuseCrossSite({ headers, url }: Request): void {
  const site = headers.get('sec-fetch-site')
  if (site === 'cross-site') fail('forbidden', { right: 'origin' })
  if (site !== null) return
  const origin = headers.get('origin')
  if (origin === null) return
  const hosts = [headers.get('host'), headers.get('x-forwarded-host'), URL.parse(url)?.host]
  // A page cannot set the forwarded host of its visitor's request, so it may count as well.
  if (!hosts.includes(URL.parse(origin)?.host ?? '')) fail('forbidden', { right: 'origin' })
}
