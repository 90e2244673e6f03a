import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Less than this fits into one packet anyway. */
const WORTH_BYTES = 1400

const gzipBytes = promisify(gzip)

export interface JsonAnswer {
  bytes: Uint8Array<ArrayBuffer>
  mediaType: string
  request: Request
  peer: string | null
}

/** A JSON response, compressed if it travels over a network. Compression runs in the runtime's thread pool. */
export async function respondJson({ bytes, mediaType, request, peer }: JsonAnswer): Promise<Response> {
  const headers = new Headers({ 'content-type': `${mediaType}; charset=utf-8`, vary: 'Accept, Accept-Encoding' })
  const coding = bytes.length < WORTH_BYTES || staysHere(request, peer) ? null : chooseCoding(request.headers.get('accept-encoding') ?? '')
  if (coding === null) return new Response(bytes, { headers })
  headers.set('content-encoding', coding)
  return new Response(coding === 'zstd' ? await Bun.zstdCompress(bytes, { level: 1 }) : await gzipBytes(bytes, { level: 2 }), { headers })
}

/** The best coding that the client accepts; null for none. */
export function chooseCoding(accepted: string): 'zstd' | 'gzip' | null {
  const offers = new Map(
    accepted.split(',').map((offer) => {
      const [coding = '', ...parameters] = offer.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
      return [coding, Number.parseFloat(q)]
    }),
  )
  const best = Math.max(offers.get('zstd') ?? 0, offers.get('gzip') ?? offers.get('x-gzip') ?? 0)
  if (!(best > 0)) return null
  return offers.get('zstd') === best ? 'zstd' : 'gzip'
}

/** Headers that proxies add to forwarded requests. */
const PASSED_ON = ['x-forwarded-for', 'forwarded', 'via']

/**
 * Whether the response stays on this machine. Null is a unix socket. A proxy on this machine may be unknown to us (`trustedProxies`), but a request
 * that it forwarded came over a network (R16).
 */
export function staysHere(request: Request, peer: string | null): boolean {
  const isLoopback = peer === null || peer === '::1' || /^(::ffff:)?127\./.test(peer)
  return isLoopback && !PASSED_ON.some((name) => request.headers.has(name))
}
