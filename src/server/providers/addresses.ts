/** Where browsers reach this server, for what is registered at a provider. */
export interface Addresses {
  /** Scheme, host and port. */
  readonly origin: string
  /** Below it; without trailing slash, empty at the root. */
  readonly base: string
}

export interface AddressOptions {
  /** The operator's `publicAddress`; the first one counts. */
  readonly publicOrigins: readonly string[]
  readonly baseUrl: string
}

/** The operator's address, or the one by which the request came: a proxy that is trusted says whether that was TLS. */
export function addressesOf(request: Request, { secure }: { secure: boolean }, { publicOrigins, baseUrl }: AddressOptions): Addresses {
  const host = request.headers.get('host') ?? URL.parse(request.url)?.host ?? 'localhost'
  const own = URL.parse(`${secure ? 'https' : 'http'}://${host}`)?.origin
  return { origin: publicOrigins[0] ?? own ?? 'http://localhost', base: baseUrl }
}

export function redirectUri({ origin, base }: Addresses, id: string): string {
  return `${origin}${base}/api/oidc/${id}/callback`
}

export function backchannelUri({ origin, base }: Addresses, id: string): string {
  return `${origin}${base}/api/oidc/${id}/backchannel`
}

export function signedOutUri({ origin, base }: Addresses): string {
  return `${origin}${base}/login`
}

/** A page of ours that somebody wanted to see, below the base; `/` for anything else: other sites, `//host`, `/\host`, scripts. */
export function ownPath(wanted: string | undefined): string {
  if (wanted === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted) || wanted.length > 2000) return '/'
  const url = URL.parse(wanted, 'http://own.invalid')
  return url === null || url.origin !== 'http://own.invalid' || url.pathname.startsWith('//') ? '/' : url.pathname + url.search + url.hash
}
