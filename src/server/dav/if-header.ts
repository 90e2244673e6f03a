import { fail } from '../../shared/errors.ts'

/** One condition of a list: a lock token or an ETag, perhaps negated. */
export interface Condition {
  readonly not: boolean
  /** A lock token or another URI. */
  readonly token?: string
  /** In quotes, perhaps with `W/`. */
  readonly etag?: string
}

/** A list holds if all of its conditions do. */
export interface ConditionList {
  /** The URI that it is about; null for that of the request. */
  readonly resource: string | null
  readonly conditions: readonly Condition[]
}

const MAX_CHARS = 8192
const MAX_CONDITIONS = 100

/**
 * Reads the header `If` (RFC 4918, section 10.4); no lists if it is absent. Fails with `invalid-input` if it is malformed, and if it is longer than
 * clients make it.
 */
export function parseIf(header: string | null): ConditionList[] {
  if (header === null) return []
  if (header.length > MAX_CHARS) return refuse('too long')
  const next = tokensOf(header)
  const lists: ConditionList[] = []
  let resource: string | null = null
  let count = 0
  for (let token = next(); token !== null; token = next()) {
    if (token.startsWith('<')) {
      // Lists without a resource are not followed by one with it.
      if (lists.length > 0 && resource === null) refuse('lists of both forms')
      resource = token.slice(1, -1)
      continue
    }
    if (token !== '(') return refuse('a list is expected')
    const conditions: Condition[] = []
    for (let part = next(); part !== ')'; part = next()) {
      if (++count > MAX_CONDITIONS) return refuse('too many conditions')
      const not = part?.toLowerCase() === 'not'
      conditions.push({ not, ...valueIn(not ? next() : part) })
    }
    if (conditions.length === 0) refuse('an empty list')
    lists.push({ resource, conditions })
  }
  return lists.length === 0 ? refuse('no list') : lists
}

function valueIn(token: string | null): Omit<Condition, 'not'> {
  if (token?.startsWith('<') === true) return { token: token.slice(1, -1) }
  if (token?.startsWith('[') === true) return { etag: token.slice(1, -1).trim() }
  return refuse('a token or an ETag is expected')
}

const TOKEN = /\s*(\(|\)|not(?=[\s<[])|<[^<>]*>|\[\s*(?:W\/)?"[^"]*"\s*\])/iy

function tokensOf(header: string): () => string | null {
  let at = 0
  return () => {
    if (header.slice(at).trim() === '') return null
    TOKEN.lastIndex = at
    const found = TOKEN.exec(header)?.[1]
    if (found === undefined) return refuse('malformed')
    at = TOKEN.lastIndex
    return found
  }
}

function refuse(problem: string): never {
  return fail('invalid-input', { issues: [`if: ${problem}`] })
}

/** Every URI in the header that may be a lock token: the client has submitted it, whatever its condition says. */
export function submittedTokens(lists: readonly ConditionList[]): string[] {
  return lists.flatMap(({ conditions }) => conditions.flatMap(({ token }) => (token === undefined ? [] : [token])))
}

/** What is known of a resource that a list is about. */
export interface ResourceState {
  /** Null if there is no file. */
  readonly etag: string | null
  /** The tokens of locks that apply to it. */
  readonly tokens: ReadonlySet<string>
}

/** Whether at least one list holds. @param stateOf looks up a resource; called at most once for each */
export async function isIfHeld(
  lists: readonly ConditionList[],
  stateOf: (resource: string | null) => Promise<ResourceState>,
): Promise<boolean> {
  const known = new Map<string | null, Promise<ResourceState>>()
  for (const { resource, conditions } of lists) {
    const asked = known.get(resource) ?? stateOf(resource)
    known.set(resource, asked)
    const state = await asked
    if (conditions.every((condition) => isHeld(condition, state))) return true
  }
  return lists.length === 0
}

function isHeld({ not, token, etag }: Condition, state: ResourceState): boolean {
  const matches = token === undefined ? etag === state.etag : state.tokens.has(token)
  return matches !== not
}
