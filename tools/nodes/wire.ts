import { ADDRESS_HEADER } from './cluster.ts'

/** No client is stuck for longer. */
export const STUCK_MS = 15_000
const RETRY_MS = 200
/** A server that was killed, one that cannot reach its database, one that is too busy, and what another request holds. */
const AGAIN = new Set([423, 429, 500, 502, 503, 504])

/** What the clients of a run found. */
export interface Findings {
  /** What must not happen. */
  readonly violations: string[]
  readonly counts: Map<string, number>
  /** How long each kind of work was without progress at most, in milliseconds, whatever was tried meanwhile. */
  readonly longest: Map<string, number>
}

export function createFindings(): Findings {
  return { violations: [], counts: new Map(), longest: new Map() }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** Requests that failed before: what they did is not known. */
  readonly failures: number
}

export type Wire = ReturnType<typeof createWire>

/** One client: it repeats what fails, as people do, and tells what took too long. */
export function createWire(url: string, { address, findings }: { address: string; findings: Findings }) {
  let token = ''
  /** Since when the work that is underway has not advanced, and its longest time so. */
  let advancedAt = 0
  let waited = 0

  function advanced(): void {
    const now = performance.now()
    waited = Math.max(waited, now - advancedAt)
    advancedAt = now
  }

  async function once(path: string, init: RequestInit): Promise<Omit<Answer, 'failures'> | null> {
    const headers = { [ADDRESS_HEADER]: address, ...(token !== '' && { 'x-auth': token }), ...init.headers }
    try {
      const answer = await fetch(url + path, { ...init, headers, signal: AbortSignal.timeout(STUCK_MS) })
      return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
    } catch {
      return null
    }
  }

  /** Until there is an answer that is one. @param isAnswer of those that are repeated otherwise */
  async function ask(path: string, init: RequestInit = {}, isAnswer: (status: number) => boolean = () => false): Promise<Answer> {
    for (let failures = 0; ; failures++) {
      const answer = await once(path, init)
      if (answer !== null && (!AGAIN.has(answer.status) || isAnswer(answer.status))) return { ...answer, failures }
      await Bun.sleep(RETRY_MS)
    }
  }

  return {
    once,
    ask,
    /** A part of the work that is underway is acknowledged. */
    advanced,
    /** Does one piece of work, and tells if it was stuck. */
    async timed(name: string, work: () => Promise<void>): Promise<void> {
      waited = 0
      advancedAt = performance.now()
      await work().catch((error: unknown) => findings.violations.push(`${name}: ${String(error)}`))
      advanced()
      findings.counts.set(name, (findings.counts.get(name) ?? 0) + 1)
      findings.longest.set(name, Math.max(waited, findings.longest.get(name) ?? 0))
      if (waited > STUCK_MS) findings.violations.push(`${name} was stuck for ${Math.round(waited)} ms`)
    },
    async signIn(username: string, password: string): Promise<void> {
      const { status, body } = await ask('/api/login', { method: 'POST', body: JSON.stringify({ username, password }) })
      if (status !== 200) throw new Error(`sign-in: ${status}`)
      token = body.toString()
    },
  }
}
