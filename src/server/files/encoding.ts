import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Less than this fits into one packet anyway. */
const WORTH_BYTES = 1400

const gzipBytes = promisify(gzip)

export interface JsonAnswer {
  bytes: Uint8Array<ArrayBuffer>
  mediaType: string
  request: Request
  /** Whether it stays on this machine. */
  local: boolean
}

/** A JSON response, compressed if it travels over a network. Compression runs in the runtime's thread pool. */
export async function respondJson({ bytes, mediaType, request, local }: JsonAnswer): Promise<Response> {
  const headers = new Headers({ 'content-type': `${mediaType}; charset=utf-8`, vary: 'Accept, Accept-Encoding' })
  const coding = bytes.length < WORTH_BYTES || local ? null : chooseCoding(request.headers.get('accept-encoding') ?? '')
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
