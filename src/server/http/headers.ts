import { isComplete } from './file-headers.ts'
import { type Layer, after } from './router.ts'

export const NO_STORE = 'no-cache, no-store, must-revalidate'

/** Responses that are neither pages nor files show and run nothing if a browser is led to one. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** For this host only, without its subdomains. */
const TLS_FROM_NOW_ON = `max-age=${365 * 24 * 3600}`

/**
 * Headers of every response that does not set them itself: not cached, no content sniffing, no framing, no referrer.
 * @param options.hsts tells clients that came by TLS to use only TLS from then on (RFC 6797)
 * @param options.framingSites origins that may frame shared files shown inline
 */
export function protect({ hsts, framingSites = [] }: { hsts: boolean; framingSites?: readonly string[] }): Layer {
  return (c, next) =>
    after(next(), (response) => {
      const isTls = hsts && c.bindings.secure === true
      const isFramed = framingSites.length > 0 && c.path.startsWith('/api/public/')
      if (isComplete(response) && !isTls && !isFramed) return response
      const { headers } = response
      if (!headers.has('cache-control')) headers.set('cache-control', NO_STORE)
      const policy = headers.get('content-security-policy')
      if (policy === null) headers.set('content-security-policy', NOTHING)
      else if (isFramed)
        headers.set('content-security-policy', policy.replace("frame-ancestors 'self'", `frame-ancestors 'self' ${framingSites.join(' ')}`))
      if (!headers.has('x-content-type-options')) headers.set('x-content-type-options', 'nosniff')
      if (!headers.has('referrer-policy')) headers.set('referrer-policy', 'same-origin')
      if (isTls) headers.set('strict-transport-security', TLS_FROM_NOW_ON)
      return response
    })
}

/**
 * Text becomes markup, and an address a script, only through these policies (W3C Trusted Types): books, the service worker, the threads that sort
 * names and read PDFs, and DOMPurify, of which each viewer creates its own.
 */
const TRUSTED_TYPES = [
  "require-trusted-types-for 'script'",
  "trusted-types default satchel-book satchel-offline satchel-order satchel-pdf dompurify 'allow-duplicates'",
]

export interface PagePolicy {
  readonly nonce: string
  readonly captchaHost: string | null
  /** Origins that may frame this page. */
  readonly framedBy?: readonly string[]
}

/** For the page itself: scripts from here only, styles from here or with this page's nonce, no framing by others (invariant I11). */
export function pageHeaders({ nonce, captchaHost, framedBy = [] }: PagePolicy): Record<string, string> {
  const captcha = captchaHost === null ? { scripts: '', frames: '' } : captchaSources(captchaHost)
  const policy = [
    "default-src 'self'",
    `script-src 'self'${captcha.scripts}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    `frame-src 'self' blob:${captcha.frames}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(' ')}`,
    // The captcha's script creates documents and scripts in its own way.
    ...(captchaHost === null ? TRUSTED_TYPES : []),
  ]
  return {
    'cache-control': NO_STORE,
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), midi=()',
    // Our own calls keep their Origin and Referer, other sites see neither.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    // It does not support a list of origins; browsers with `frame-ancestors` ignore it.
    ...(framedBy.length === 0 && { 'x-frame-options': 'DENY' }),
  }
}

/** For the service worker's script: its own policy, revalidated at every visit. */
export function workerHeaders(): Record<string, string> {
  return {
    'cache-control': NO_STORE,
    'content-security-policy': "default-src 'self'",
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
  }
}

/** Sources of the captcha's parts: only its own folder on that host, which may also serve scripts of others. */
function captchaSources(host: string): { scripts: string; frames: string } {
  const { origin, protocol, hostname } = URL.parse(host) ?? { origin: '', protocol: '', hostname: '' }
  if (protocol !== 'https:' && protocol !== 'http:') return { scripts: '', frames: '' }
  const own = ` ${origin}/recaptcha/`
  if (!/(^|\.)(google\.com|recaptcha\.net)$/.test(hostname)) return { scripts: own, frames: own }
  return { scripts: `${own} https://www.gstatic.com/recaptcha/`, frames: `${own} https://recaptcha.google.com/recaptcha/` }
}
