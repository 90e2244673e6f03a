import { createHash } from 'node:crypto'
import { isRecord } from '../../src/server/cli/records.ts'

export interface LoadOptions {
  /** The proxy, without slash at the end. */
  readonly url: string
  /** Requests a second, sent whether or not the ones before are answered. */
  readonly rate: number
  readonly accounts: readonly { readonly username: string; readonly password: string }[]
  /** Addresses that open links, and what they must answer. */
  readonly links: readonly { readonly target: string; readonly content: string }[]
}

export interface LoadResult {
  readonly sent: number
  readonly failures: readonly string[]
  /** Uploaded files: whose, path and content. */
  readonly uploads: readonly { readonly username: string; readonly path: string; readonly content: string }[]
  /** Links that were made, and the content that they lead to. */
  readonly made: readonly { readonly hash: string; readonly content: string }[]
  readonly signIns: number
  readonly slowestMs: number
}

export interface Load {
  /** Links made until now. */
  made(): LoadResult['made']
  /** No more requests are sent. Resolves when all are answered. */
  stop(): Promise<LoadResult>
}

/** People who list, read, open links, upload and make links. */
export function startLoad({ url, rate, accounts, links }: LoadOptions): Load {
  const failures: string[] = []
  const uploads: { username: string; path: string; content: string }[] = []
  const made: { hash: string; content: string }[] = []
  const tokens = new Map<string, Promise<string>>()
  const running = new Set<Promise<void>>()
  let [sent, signIns, slowestMs] = [0, 0, 0]

  function tokenOf({ username, password }: (typeof accounts)[number]): Promise<string> {
    const known = tokens.get(username)
    if (known !== undefined) return known
    signIns += 1
    const body = JSON.stringify({ username, password })
    const token = fetch(`${url}/api/login`, { method: 'POST', body, headers: from(username) }).then(async (response) => {
      if (!response.ok) throw new Error(`sign-in: ${response.status}`)
      return response.text()
    })
    tokens.set(username, token)
    return token
  }

  /** As clients do: a session that has ended is begun again. */
  async function asAccount(account: (typeof accounts)[number], target: string, options: RequestInit = {}): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const session = tokenOf(account)
      const response = await fetch(`${url}${target}`, { ...options, headers: { 'x-auth': await session, ...from(account.username) } })
      if (response.status !== 401 || attempt === 3) return response
      if (tokens.get(account.username) === session) tokens.delete(account.username)
    }
  }

  async function step(number: number): Promise<void> {
    const account = accounts[number % accounts.length]
    const link = links[number % links.length]
    if (account === undefined || link === undefined) throw new Error('nobody there')
    const kind = number % 50
    if (kind < 20) return expectText(await fetch(url + link.target), link.content, `link ${link.target}`)
    if (kind < 30) return expectText(await asAccount(account, '/api/raw/first.txt'), contentOf(account.username), 'raw')
    if (kind < 41) return expectStatus(await asAccount(account, '/api/resources/'), 'listing')
    const path = `/new-${number}.txt`
    const content = createHash('sha256').update(String(number)).digest('hex')
    await expectStatus(await asAccount(account, `/api/resources${path}`, { method: 'POST', body: content }), 'upload')
    uploads.push({ username: account.username, path, content })
    if (kind !== 49) return
    const shared = await asAccount(account, `/api/share${path}`, { method: 'POST', body: '{}' })
    if (!shared.ok) throw new Error(`share: ${shared.status}`)
    const hash = hashIn(await shared.json())
    made.push({ hash, content })
    await expectText(await fetch(`${url}/api/public/dl/${hash}`), content, 'a link just made')
  }

  const timer = setInterval(send, 10)
  const started = performance.now()
  function send(): void {
    const due = Math.floor(((performance.now() - started) / 1000) * rate)
    while (sent < due) {
      sent += 1
      const number = sent
      const begun = performance.now()
      const one = step(number)
        .catch(
          (error: unknown) =>
            void failures.push(
              `${((performance.now() - started) / 1000).toFixed(2)} s: ${error instanceof Error ? error.message : String(error)}`,
            ),
        )
        .finally(() => {
          slowestMs = Math.max(slowestMs, performance.now() - begun)
          running.delete(one)
        })
      running.add(one)
    }
  }

  return {
    made: () => [...made],
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      return { sent, failures, uploads, made, signIns, slowestMs: Math.round(slowestMs) }
    },
  }
}

/** People have addresses of their own, and attempts to sign in are counted by address. */
function from(username: string): Record<string, string> {
  return { 'x-forwarded-for': `10.0.0.${username.split('-').at(-1)}` }
}

function hashIn(share: unknown): string {
  if (!isRecord(share) || typeof share.hash !== 'string') throw new Error('share: no hash')
  return share.hash
}

/** What `first.txt` of an account contains. */
export function contentOf(username: string): string {
  return `content of ${username}`
}

async function expectText(response: Response, content: string, what: string): Promise<void> {
  const found = await response.text()
  if (!response.ok || found !== content) throw new Error(`${what}: ${response.status} ${found.slice(0, 60)}`)
}

async function expectStatus(response: Response, what: string): Promise<void> {
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${what}: ${response.status}`)
}
