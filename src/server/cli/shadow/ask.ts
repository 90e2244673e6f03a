import { ConfigError } from '../../config/config-error.ts'
import type { Answer } from './compare.ts'
import type { Question } from './requests.ts'

/** An account at both servers. */
export interface Login {
  readonly username: string
  readonly password: string
}

/** One of the two servers. */
export interface Peer {
  /** As the account, or as a visitor. Throws `NoAnswer`, and `ConfigError` if the account never could sign in. */
  ask(question: Question, login: Login | null): Promise<Answer>
}

/** Why a server gave no whole answer. */
export class NoAnswer extends Error {}

/** Of greater bodies, only the beginning is compared, and their length. */
const MOST_BYTES = 16 * 1024 * 1024
export const TIMEOUT_MS = 60_000
/** Below the two hours after which the old server ends a session. */
const SESSION_MS = 30 * 60_000

/** @param url its base URL, without slash at the end */
export function createPeer(url: string, timeoutMs = TIMEOUT_MS): Peer {
  const sessions = new Map<string, { token: string; since: number }>()

  async function tokenOf({ username, password }: Login): Promise<string> {
    const known = sessions.get(username)
    if (known !== undefined && Date.now() - known.since < SESSION_MS) return known.token
    const body = JSON.stringify({ username, password, recaptcha: '' })
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`${url}/api/login`, { method: 'POST', body, headers: { 'content-type': 'application/json' }, signal })
    const token = await response.text()
    const refusal = `${username} cannot sign in at ${url}: ${response.status}`
    if (known === undefined && [400, 401, 403].includes(response.status)) throw new ConfigError(refusal)
    if (!response.ok) throw new NoAnswer(refusal)
    sessions.set(username, { token, since: Date.now() })
    return token
  }

  async function answer({ method, target, range, call, comparesBodies }: Question, login: Login | null): Promise<Answer> {
    const headers = new Headers({ 'accept-encoding': 'identity' })
    if (range !== null) headers.set('range', range)
    if (login !== null) headers.set('x-auth', await tokenOf(login))
    const response = await fetch(url + target, { method, headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    // 2.63 sends the results of a search as lines of JSON that it calls plain text.
    const isJson = call === '/api/search' || /^application\/(x-nd)?json\b/i.test(response.headers.get('content-type') ?? '')
    const body = comparesBodies && method === 'GET' && response.ok ? await bodyOf(response, isJson) : null
    await response.body?.cancel().catch(() => undefined)
    return { status: response.status, headers: response.headers, isJson, body }
  }

  return {
    async ask(question, login) {
      try {
        return await answer(question, login)
      } catch (error) {
        if (error instanceof ConfigError || error instanceof NoAnswer) throw error
        throw new NoAnswer(error instanceof Error ? error.message : String(error), { cause: error })
      }
    },
  }
}

/** The values of JSON, one or one a line; of anything else a hash and the length. */
async function bodyOf(response: Response, isJson: boolean): Promise<unknown> {
  const hasher = new Bun.CryptoHasher('sha256')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    hasher.update(chunk)
    if (isJson) chunks.push(chunk)
    size += chunk.byteLength
    if (size >= MOST_BYTES) break
  }
  const values = isJson && size < MOST_BYTES ? valuesIn(Buffer.concat(chunks).toString()) : undefined
  if (values !== undefined) return values
  // Chunks end anywhere, so a hash of a part would differ.
  const length = response.headers.get('content-length') ?? String(size)
  return size >= MOST_BYTES ? { length } : { length, sha256: hasher.digest('hex') }
}

/** Undefined for what is no JSON, as a person's own file may be, and for what is nested too deeply to be compared. */
function valuesIn(text: string): unknown {
  if (/(?:[[{]\s*){200}/.test(text)) return undefined
  for (const read of [() => JSON.parse(text), () => linesOf(text).map((line) => JSON.parse(line))]) {
    try {
      return read()
    } catch {
      // Lines of JSON, or none at all.
    }
  }
  return undefined
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}
