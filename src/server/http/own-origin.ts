/**
 * Which page sent a request, as far as the browser says: `own` is a page of exactly our origin; `foreign` one of any other origin, including a
 * sibling domain or another port; `unstated` is a program, a typed address, or a browser on plain HTTP that does not say.
 */
export type Sender = 'own' | 'foreign' | 'unstated'

export interface OwnOrigin {
  senderOf(request: Request, connection: { readonly secure: boolean }): Sender
  /** Whether a host, with its port if there is one, is that of this server, whatever the scheme: a proxy may end TLS. */
  isOwnHost(host: string, request: Request): boolean
}

export interface OwnOriginOptions {
  /** Origins by which browsers reach this server besides the requested Host, such as `https://files.example.org`. */
  readonly publicOrigins?: readonly string[]
  readonly log?: (line: string) => void
  /** Counts milliseconds. */
  readonly clock?: () => number
}

const TELL_EVERY_MS = 60 * 60_000

/**
 * The one place that decides whether a request comes from our own pages. `Sec-Fetch-Site` is set by the browser and cannot be set by a page: only
 * `same-origin` is ours. Without it (plain HTTP, and sockets in Chrome) the Origin, or else the Referer, must be an address of this server.
 */
export function createOwnOrigin({ publicOrigins = [], log = () => {}, clock = () => performance.now() }: OwnOriginOptions = {}): OwnOrigin {
  let toldAt = -Infinity

  /** The hosts that a request asked for: of us, or of a proxy in front. */
  const askedHosts = ({ headers, url }: Request): (string | undefined)[] => [
    headers.get('host') ?? URL.parse(url)?.host,
    headers.get('x-forwarded-host')?.split(',').at(-1)?.trim(),
  ]

  function isOwn(origin: string, request: Request, secure: boolean): boolean {
    if (publicOrigins.includes(origin)) return true
    const asked = askedHosts(request)
    // Behind an untrusted proxy that terminates TLS, we do not know that the client used TLS.
    const schemes = secure ? ['https'] : ['http', 'https']
    return asked.some((host) => host !== undefined && schemes.some((scheme) => URL.parse(`${scheme}://${host}`)?.origin === origin))
  }

  function tell(origin: string, { headers }: Request): void {
    if (clock() - toldAt < TELL_EVERY_MS) return
    toldAt = clock()
    log(
      `refused a page of ${origin}, because it asked for the host ${headers.get('host') ?? '(none)'}: ` +
        `if ${origin} is the address of this server, have the proxy pass on Host, or set --publicAddress ${origin}`,
    )
  }

  return {
    isOwnHost(host, request) {
      const own = [...publicOrigins.flatMap((origin) => URL.parse(origin)?.host ?? []), ...askedHosts(request)]
      return own.some((one) => one !== undefined && hostKey(one) === hostKey(host))
    },
    senderOf(request, { secure }) {
      const { headers } = request
      const site = headers.get('sec-fetch-site')
      const origin = headers.get('origin')
      if (site === 'same-origin') return 'own'
      if (site === 'none' && origin === null) return 'unstated'
      if (site !== null && site !== 'none') return 'foreign'
      const from = origin ?? URL.parse(headers.get('referer') ?? '')?.origin
      if (from === undefined) return 'unstated'
      if (isOwn(from, request, secure)) return 'own'
      tell(from, request)
      return 'foreign'
    },
  }
}

/** Without the ports that schemes stand for. */
function hostKey(host: string): string {
  return host.toLowerCase().replace(/:(?:80|443)$/, '')
}
