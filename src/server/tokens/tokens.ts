import { randomUUID } from 'node:crypto'
import type { AuditDetail, AuditKind } from '../../shared/contract/audit.ts'
import { type ApiTokenInput, type ApiToken as WireToken, MAX_API_TOKEN_NAME_CHARS, MAX_API_TOKENS } from '../../shared/contract/tokens.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import { detailsOf } from '../../shared/audit-details.ts'
import { fail } from '../../shared/errors.ts'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import { parsePermissions, RIGHTS, rightsOf } from '../access/permissions.ts'
import type { Performer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import { hashOf } from '../db/secret.ts'
import type { Users } from '../users/users.ts'
import type { ApiToken, TokenStore } from './store.ts'
import { newToken } from './token-format.ts'
import { hasEnded } from './token-identities.ts'

export interface TokensDeps {
  readonly store: TokenStore
  readonly users: Pick<Users, 'find' | 'all'>
  readonly clock: () => Date
  readonly bus: Pick<Bus, 'announce'>
}

/** Who makes or revokes a token, and from where. */
export interface TokenMaker {
  readonly by: Performer
  readonly address: string | null
}

export interface TokenOwner {
  readonly id: number
  readonly username: string
  /** What they may do now in the folder of the token; in the whole tree, what they may do anywhere. */
  readonly may: Permissions
}

/** After its end, a token is still listed for this long. */
const SHOWN_AFTER_END_MS = 30 * 24 * 3600_000
const MAX_DATE_MS = 8.64e15

export type Tokens = ReturnType<typeof createTokens>

/** Making, listing and revoking API tokens. */
export function createTokens({ store, users, clock, bus }: TokensDeps) {
  function note(kind: AuditKind, { by, address }: TokenMaker, token: Pick<ApiToken, 'name'>, details: AuditDetail[] = []): void {
    bus.announce('noted', { kind, by, address, subject: token.name, details })
  }

  const ended = (userId: number): void => bus.announce('session.changed', { userId })

  async function toWire(all: readonly ApiToken[]): Promise<WireToken[]> {
    const ids = [...new Set(all.map(({ userId }) => userId))]
    const accounts = ids.length > 20 ? await users.all() : await Promise.all(ids.map((id) => users.find(id)))
    const names = new Map(accounts.flatMap((account) => (account === null ? [] : [[account.id, account.username]])))
    return all.map((token) => wireOf(token, names.get(token.userId) ?? ''))
  }

  return {
    /** The newest first. @param userId null for everybody's */
    list: async (userId: number | null): Promise<WireToken[]> => toWire(await store.list(userId)),

    /**
     * Makes a token for `owner`. Fails with `invalid-input`, with `forbidden` for a right that the owner does not have, and with
     * `not-found` if the account has gone or been disabled meanwhile.
     * @param input.folder must exist; the caller checks that
     * @returns the token with its secret, which nobody can be told again
     */
    async create(owner: TokenOwner, input: ApiTokenInput, maker: TokenMaker): Promise<WireToken & { token: string }> {
      const now = clock().getTime()
      const { name, perm, folder, expiresAt } = readTokenInput(input, now)
      for (const right of RIGHTS) if (rightsOf(perm)[right] && !owner.may[right]) fail('forbidden', { right })
      const secret = newToken()
      const token: ApiToken = {
        id: randomUUID(),
        secretHash: hashOf(secret),
        userId: owner.id,
        name,
        perm,
        folder,
        createdAt: now,
        createdBy: maker.by.name,
        expiresAt,
        lastUsedAt: null,
        lastAddress: '',
        networks: [],
      }
      const outcome = await store.insert(token, MAX_API_TOKENS)
      if (outcome === 'no account') fail('not-found', {})
      if (outcome === 'no room') fail('invalid-input', { issues: [`tokens: no more than ${MAX_API_TOKENS}`] })
      const end = expiresAt === null ? 'never' : new Date(expiresAt).toISOString()
      const about = { user: owner.username, perm: rightNames(perm), folder, expires: end }
      note('api-token-created', maker, token, detailsOf({}, about))
      return { ...wireOf(token, owner.username), token: secret }
    },

    /** Revokes a token at once. Fails with `not-found` if `userId` is given and it is somebody else's. */
    async remove(id: string, { userId }: { userId: number | null }, maker: TokenMaker): Promise<void> {
      const token = await store.find(id)
      if (token === null || (userId !== null && token.userId !== userId) || !(await store.remove(id))) return fail('not-found', {})
      ended(token.userId)
      const owner = await users.find(token.userId)
      note('api-token-removed', maker, token, detailsOf({ user: owner?.username ?? '' }, {}))
    },

    /** Revokes all tokens of a user. */
    async removeAllOf({ id, username }: Pick<TokenOwner, 'id' | 'username'>, maker: TokenMaker): Promise<void> {
      const count = await store.removeAllOf(id)
      if (count === 0) return
      ended(id)
      note('api-token-removed', maker, { name: '' }, detailsOf({ user: username, count }, {}))
    },

    /** Whether a token still counts, for the work that it started: not after it was revoked or has ended. */
    async stillCounts(id: string): Promise<boolean> {
      const token = await store.find(id)
      return token !== null && !hasEnded(token, clock().getTime())
    },

    /** Removes tokens that ended long ago; call it periodically. */
    sweep: (): Promise<void> => store.removeEnded(clock().getTime() - SHOWN_AFTER_END_MS),
  }
}

/** What was asked for. Fails with `invalid-input`. */
function readTokenInput(input: ApiTokenInput, now: number): Pick<ApiToken, 'name' | 'perm' | 'folder' | 'expiresAt'> {
  const name = input.name.trim()
  const issues = [
    ...(name === '' ? ['name: empty'] : []),
    ...([...name].length > MAX_API_TOKEN_NAME_CHARS ? [`name: too-long ${MAX_API_TOKEN_NAME_CHARS}`] : []),
    ...(/\p{Cc}/u.test(name) ? ['name: control characters'] : []),
  ]
  const { expires } = input
  const isDate = expires === null || (Number.isInteger(expires) && expires <= MAX_DATE_MS)
  if (!isDate) issues.push('expires: no date')
  else if (expires !== null && expires <= now) issues.push('expires: in the past')
  const perm = parsePermissions(input.perm)
  const folder = parseFilePath(input.folder)
  if (!folder.isWellFormed()) issues.push('folder: not UTF-8')
  if (folder !== ROOT && (perm.admin || perm.execute)) issues.push('folder: administration and commands need the whole tree')
  if (issues.length > 0) fail('invalid-input', { issues })
  return { name, perm: { ...rightsOf(perm) }, folder, expiresAt: expires }
}

function wireOf(token: ApiToken, username: string): WireToken {
  return {
    id: token.id,
    name: token.name,
    userID: token.userId,
    username,
    perm: token.perm,
    folder: token.folder,
    created: token.createdAt,
    createdBy: token.createdBy,
    expires: token.expiresAt,
    lastUsed: token.lastUsedAt,
    lastAddress: token.lastAddress,
  }
}

/** `create download`; administration includes all rights. */
function rightNames(perm: Permissions): string {
  return perm.admin ? 'admin' : RIGHTS.filter((right) => perm[right]).join(' ')
}
