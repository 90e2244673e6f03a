import { addressProblem } from './provider.ts'

/** Providers answer within a second or not at all. */
export const TIMEOUT_MS = 10_000
/** Descriptions, keys and tokens have some kilobytes. */
const MAX_BYTES = 1024 * 1024

export type Fetch = (
  url: string,
  options: { method: string; headers: Record<string, string>; body?: RequestInit['body']; signal?: AbortSignal },
) => Promise<Response>

/**
 * A request to a provider: to addresses that `addressProblem` allows, without following redirects, at most 10 seconds and 1 MiB long. Fails with an
 * error whose message says which limit.
 */
export const limitedFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const problem = addressProblem(url)
  if (problem !== null) throw new Error(`${url}: ${problem}`)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, {
    method,
    headers,
    body,
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  })
  const content = await readAtMost(response, url)
  const isEmpty = content.byteLength === 0
  return new Response(isEmpty ? null : content, { status: response.status, headers: response.headers })
}

async function readAtMost(response: Response, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new Error(`${url}: the answer is longer than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
