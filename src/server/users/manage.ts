import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import { detailsOf, rulesText } from '../../shared/audit-details.ts'
import type { Permissions, UserChange } from '../../shared/contract/users.ts'
import type { AuditDetail, AuditKind } from '../../shared/contract/audit.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Caller } from '../access/caller.ts'
import { NO_RIGHTS, RIGHTS } from '../access/permissions.ts'
import type { Bus } from '../bus/bus.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { cleanScope } from '../../shared/scope.ts'
import { performerOf } from '../access/viewer.ts'
import type { Account, Editable } from './account.ts'
import { readChange, readNew, type RequestedChange } from './change.ts'
import { type Home, homeFor } from './home.ts'
import { NO_PASSWORD } from './password.ts'
import type { PasswordPolicy } from './policy.ts'
import type { Users } from './users.ts'

/** Changing these requires a recent proof of identity; so does a new password. */
const SENSITIVE = [
  'username',
  'scope',
  'perm',
  'commands',
  'rules',
  'lockPassword',
  'disabled',
  'webdavDisabled',
] as const satisfies (keyof Editable)[]
/** Others may be writing the same record; after this many attempts the change fails. */
const ATTEMPTS = 5

/** Changes of accounts by users and administrators: permitted fields, proof, homes, password policy. */
export type Management = ReturnType<typeof createManagement>

export interface ManagementOptions {
  users: Users
  bus: Bus
  policy: PasswordPolicy
  settings: SettingsReader
  /** Fails with `proof-needed` unless the caller has proven their identity recently, or does so now. */
  requireProof: (caller: Caller) => Promise<void>
  /** With its parents, below the root of the storage; it may exist. */
  makeHome: (path: FilePath) => Promise<void>
}

type Envelope = z.infer<typeof UserChange>

export function createManagement({ users, bus, settings, policy, requireProof, makeHome }: ManagementOptions) {
  function note(kind: AuditKind, { viewer, address }: Caller, subject: string, details: AuditDetail[] = []): void {
    bus.announce('noted', { kind, by: performerOf(viewer), address, subject, details })
  }

  async function makeScope(scope: FilePath): Promise<void> {
    try {
      await makeHome(scope)
    } catch (error) {
      if (!isAppError(error, 'not-found') && !isAppError(error, 'already-exists')) throw error
      fail('invalid-input', { issues: ['data.scope: there can be no such folder'] }, { cause: error })
    }
  }

  /** If its home cannot be created, the account is removed again. */
  async function makeHomeOf({ id }: Account, scope: FilePath): Promise<void> {
    try {
      await makeScope(scope)
    } catch (error) {
      await users.remove(id)
      throw error
    }
  }

  /** If every account gets a home, a new scope is created before the account refers to it. */
  async function makeNewScope(before: Account, { scope = before.scope, username = before.username }: Partial<Editable>): Promise<void> {
    if (scope === before.scope || !(await settings.read()).createUserDir) return
    const taken = await users.findByName(username)
    if (taken !== null && taken.id !== before.id) fail('name-taken', { username })
    await makeScope(cleanScope(scope))
  }

  return {
    /**
     * Fails with `name-taken`, `proof-needed`, `invalid-input`.
     * @param options.withoutPassword nobody can sign in until a password is chosen by a link
     * @param options.home instead of the scope of the body
     */
    async create(
      body: Envelope,
      caller: Caller,
      { withoutPassword = false, home }: { withoutPassword?: boolean; home?: Home } = {},
    ): Promise<Account> {
      const { fields, password } = readNew(body)
      if (password === null && !withoutPassword) fail('invalid-input', { issues: ['data.password: empty'] })
      if (password !== null && withoutPassword) fail('invalid-input', { issues: ['data.password: not empty'] })
      if (password !== null) await policy.check(password, 'data.password')
      await requireProof(caller)
      const now = await settings.read()
      const { scope, own } = home ?? homeFor(fields.username, fields.scope ?? '', now)
      const { perm = NO_RIGHTS, lockPassword = false } = fields
      const account = await users.create(
        {
          ...now.defaults,
          rules: [],
          ...fields,
          perm,
          lockPassword: lockPassword && !perm.admin,
          password: password ?? { hash: NO_PASSWORD },
          scope,
        },
        { ownScope: own },
      )
      await makeHomeOf(account, scope)
      const { perm: rights, disabled } = account
      note('user-created', caller, account.username, detailsOf({}, { scope, perm: namesOf(rights), ...(disabled && { disabled }) }))
      return account
    },

    /**
     * Fails with `not-found`, `forbidden`, `name-taken`, `proof-needed`, `invalid-input`; `busy` if others keep writing the record.
     * @param options.requires throws if the record, as it is when it is written, must not be changed
     */
    async change(
      id: number,
      body: Envelope,
      caller: Caller,
      options: { requires?: (before: Account) => Promise<void> } = {},
    ): Promise<void> {
      const { viewer } = caller
      const wanted = readChange(body, id, viewer)
      if (wanted.password !== null) await policy.check(wanted.password, 'data.password')
      for (let attempt = 0, proven = false; attempt < ATTEMPTS; attempt += 1) {
        const before = (await users.find(id)) ?? fail('not-found', {})
        await options.requires?.(before)
        if (wanted.password !== null && before.lockPassword && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
        const fields = fieldsFor(before, wanted)
        const sensitive = wanted.password !== null || SENSITIVE.some((name) => differs(before, fields, name))
        if (sensitive && !proven) await requireProof(caller)
        proven ||= sensitive
        await makeNewScope(before, fields)
        const keep = viewer.userId === id ? viewer.sessionId : null
        if (!(await users.change(before, { fields, password: wanted.password, keep }))) continue
        if (sensitive) note('user-changed', caller, before.username, changesOf(before, fields, wanted.password !== null))
        return
      }
      fail('busy', {})
    },

    /** The user's files are kept. Fails with `not-found`, `proof-needed`, and with `forbidden` for the last administrator. */
    async remove(id: number, caller: Caller): Promise<void> {
      const account = (await users.find(id)) ?? fail('not-found', {})
      await requireProof(caller)
      await users.remove(id)
      note('user-removed', caller, account.username)
    },
  }
}

/** The fields to write over `before`. An empty scope keeps the old one: leaving a field blank must not give access to everything (invariant I9). */
function fieldsFor(before: Account, { fields: { scope = '', ...fields } }: RequestedChange): Partial<Editable> {
  const { perm = before.perm, lockPassword = before.lockPassword } = fields
  const moved = scope.trim() !== '' && scope !== before.scope
  const decided = fields.perm !== undefined || fields.lockPassword !== undefined
  return {
    ...fields,
    ...(moved && { scope: cleanScope(scope) }),
    // An administrator's password is their own.
    ...(decided && { lockPassword: lockPassword && !perm.admin }),
  }
}

function differs(before: Account, fields: Partial<Editable>, name: keyof Editable): boolean {
  return fields[name] !== undefined && !isDeepStrictEqual(before[name], fields[name])
}

/** Changes for the audit trail; a new password is recorded without its value. */
function changesOf(before: Account, fields: Partial<Editable>, hasNewPassword: boolean): AuditDetail[] {
  const after = { ...before, ...fields }
  const shown = (account: Account) => ({
    ...Object.fromEntries(SENSITIVE.map((name) => [name, account[name]])),
    perm: namesOf(account.perm),
    rules: rulesText(account.rules),
  })
  return [...detailsOf(shown(before), shown(after)), ...(hasNewPassword ? [{ place: 'password', before: null, after: null }] : [])]
}

/** `create download`; an administrator has all rights. */
function namesOf(perm: Permissions): string {
  return perm.admin ? 'admin' : RIGHTS.filter((right) => perm[right]).join(' ')
}
