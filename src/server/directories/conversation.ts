import type * as Ldapts from 'ldapts'
import type { Client, Entry, Filter, SearchOptions } from 'ldapts'
import { connect, type Connected } from './connect.ts'
import type { StoredDirectory } from './directory.ts'
import { DirectoryProblem, reasonOf } from './problem.ts'

/** What a conversation with a directory may take in all, from the connection on. */
export const CONVERSATION_MS = 10_000
/** What the directory may take for one search, in seconds. */
const SEARCH_SECONDS = 8
const PAGE = 500

/** An entry with the attributes that were asked for, whose names have any case. */
export interface Found {
  readonly dn: string
  texts(attribute: string): string[]
  /** The bytes of its first value; null if it has none. */
  bytes(attribute: string): Buffer | null
  /** Whether the directory left out values, as Active Directory does of more than 1500. */
  isPartial(attribute: string): boolean
}

export interface Asked {
  readonly base: string
  readonly scope: 'base' | 'sub'
  readonly filter: string | Filter
  readonly attributes: readonly string[]
  /** Attributes whose values are bytes. */
  readonly binary?: readonly string[]
  /** More entries than these are a `DirectoryProblem`, unless they are only counted. */
  readonly most: number
}

/** Who is bound on a connection, in what was said to the directory. */
export interface Conversation {
  /** How the connection came about. */
  readonly steps: Connected['steps']
  /** As an account of the directory (RFC 4513 §5.1.3). Throws `DirectoryProblem`, `refused` for a wrong password. */
  bind(dn: string, password: string): Promise<void>
  /** Referrals are never followed. @returns at most one entry more than `most` */
  search(asked: Asked): Promise<Found[]>
}

let library: Promise<typeof Ldapts> | null = null

/** Loaded when the first directory is asked. */
export function ldapts(): Promise<typeof Ldapts> {
  library ??= import('ldapts')
  return library
}

/** Connects, runs `work`, and hangs up, within a time limit. Throws `DirectoryProblem`. */
export async function converse<T>(
  directory: StoredDirectory,
  work: (conversation: Conversation) => Promise<T>,
  { limitMs = CONVERSATION_MS }: { limitMs?: number } = {},
): Promise<T> {
  const late = AbortSignal.timeout(limitMs)
  const connected = await connect(directory, late)
  const { socket } = connected
  const { Client } = await ldapts()
  let isUsed = false
  const client = new Client({
    url: 'ldap://connected.invalid',
    timeout: limitMs,
    // Once: a connection that the library made anew would have no TLS, and nobody bound.
    createConnection: () => {
      if (isUsed) throw new DirectoryProblem('away', 'the connection was closed')
      isUsed = true
      return socket
    },
  })
  const hangUp = (): void => void socket.destroy()
  late.addEventListener('abort', hangUp)
  try {
    return await work(conversationOn(client, { connected, isLate: () => late.aborted }))
  } finally {
    late.removeEventListener('abort', hangUp)
    await client.unbind().catch(() => undefined)
    socket.destroy()
  }
}

function conversationOn(client: Client, { connected, isLate }: { connected: Connected; isLate: () => boolean }): Conversation {
  async function asked<T>(what: string, ask: () => Promise<T>): Promise<T> {
    connected.renew()
    try {
      return await ask()
    } catch (error) {
      throw problemFrom(error, { what, isLate: isLate() })
    }
  }

  return {
    steps: connected.steps,

    bind(dn, password) {
      // Both are an anonymous sign-in that succeeds (RFC 4513 §5.1.1, §5.1.2), at some directories also with a password that begins with NUL.
      if (dn === '' || password === '' || password.includes('\0')) throw new DirectoryProblem('refused', 'no name or no password')
      return asked('bind', () => client.bind(dn, password))
    },

    async search({ base, scope, filter, attributes, binary = [], most }) {
      const options: SearchOptions = {
        scope,
        filter,
        attributes: [...attributes],
        explicitBufferAttributes: [...binary],
        timeLimit: SEARCH_SECONDS,
        derefAliases: 'never',
        ...(most <= 2 ? { sizeLimit: most + 1 } : { paged: { pageSize: PAGE } }),
      }
      if (most <= 2) {
        const { searchEntries } = await asked('search', () => client.search(base, options))
        return searchEntries.map(foundFrom)
      }
      const found: Found[] = []
      const next = () => asked('search', () => pages.next())
      const pages = client.searchPaginated(base, options)[Symbol.asyncIterator]()
      // RFC 2696: page by page, and none after enough.
      for (let page = await next(); page.done !== true; page = await next()) {
        found.push(...page.value.searchEntries.map(foundFrom))
        if (found.length > most) break
      }
      return found.slice(0, most + 1)
    },
  }
}

/** The library’s entry is parsed here: names of attributes in lower case, each with its values. */
function foundFrom({ dn, ...rest }: Entry): Found {
  const values = new Map(Object.entries(rest).map(([name, value]) => [name.toLowerCase(), [value].flat()]))
  const of = (attribute: string): (string | Buffer)[] => values.get(attribute.toLowerCase()) ?? []
  return {
    dn,
    texts: (attribute) => of(attribute).flatMap((value) => (typeof value === 'string' ? [value] : [])),
    bytes(attribute) {
      const [first] = of(attribute)
      return first === undefined ? null : Buffer.from(first)
    },
    isPartial: (attribute) => [...values.keys()].some((name) => name.startsWith(`${attribute.toLowerCase()};range=`)),
  }
}

/** Result codes of RFC 4511 appendix A.2 that say something about the directory's state, or about the name and password. */
const AWAY = new Set([3, 51, 52, 54, 80])
const INVALID_CREDENTIALS = 49

function problemFrom(error: unknown, { what, isLate }: { what: string; isLate: boolean }): DirectoryProblem {
  if (error instanceof DirectoryProblem) return error
  const code = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null
  const reason = `${what}: ${isLate ? 'no answer in time' : reasonOf(error)}`
  if (code === null || AWAY.has(code)) return new DirectoryProblem('away', reason, { cause: error })
  return new DirectoryProblem(code === INVALID_CREDENTIALS ? 'refused' : 'wrong', reason, { cause: error })
}
