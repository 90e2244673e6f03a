import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Factors as WireFactors, NewPasskey, PasskeyCreation } from '../../shared/contract/factors.ts'
import { fail } from '../../shared/errors.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import { isUniqueViolation } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { SettingsStore } from '../settings/store.ts'
import type { Account } from '../users/account.ts'
import { asksForFactors, forgetFactors, isFactorRequired, refreshSecondFactor } from '../users/second-factor.ts'
import type { Users } from '../users/users.ts'
import { creationFor, verifyNew } from './passkeys.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'
import * as store from './store.ts'
import type { Tickets } from './tickets.ts'
import { newTotpSecret, stepOf, totpUri } from './totp.ts'
import type { TrustedDevices } from './trusted-devices.ts'

const MAX_PASSKEYS = 20
const MAX_NAME_LENGTH = 64

export interface FactorsOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly users: Users
  readonly settings: SettingsStore
  readonly tickets: Tickets
  readonly devices: TrustedDevices
  readonly clock: () => Date
}

/** Who changes factors, and from where. */
export interface FactorsCall {
  readonly viewer: Viewer
  readonly address: string | null
}

/** For how long a new key for an authenticator app can be confirmed. */
const PENDING_MS = 30 * 60_000

export type Factors = ReturnType<typeof createFactors>

/** Second factors as people and administrators manage them. Whether the caller has just proven who they are, the routes have asked. */
export function createFactors({ db, bus, users, settings, tickets, devices, clock }: FactorsOptions) {
  const now = (): number => clock().getTime()

  async function accountOf({ userId }: Pick<Viewer, 'userId'>): Promise<Account> {
    return (await users.find(userId)) ?? fail('not-found', {})
  }

  function note({ viewer, address }: FactorsCall, subject: string, place: string, change: { before?: string; after?: string } = {}): void {
    const by = { id: viewer.userId, name: viewer.username }
    const details = [{ place, before: change.before ?? null, after: change.after ?? null }]
    bus.announce('noted', { kind: 'factors-changed', by, address, subject, details })
  }

  /** Adds a factor with `work` and brings the account in step. @returns new recovery codes if it had none */
  async function adding(
    account: Account,
    { viewer }: FactorsCall,
    work: (trx: Kysely<Schema>) => Promise<void>,
  ): Promise<string[] | undefined> {
    const codes = newRecoveryCodes()
    const hadCodes = await db.transaction().execute(async (trx) => {
      await work(trx)
      await refreshSecondFactor(trx, account, { keep: viewer.sessionId })
      const had = (await store.countCodes(trx, account.id)) > 0
      if (!had) await store.replaceCodes(trx, account.id, codes.map(recoveryHash))
      return had
    })
    bus.announce('user.changed', { userId: account.id })
    return hadCodes ? undefined : codes
  }

  async function removing(account: Account, call: FactorsCall, row: store.FactorRow): Promise<void> {
    await db.transaction().execute(async (trx) => {
      if (!(await store.removeFactor(trx, account.id, row.id))) fail('not-found', {})
      // What was trusted because of it is not trusted any more.
      await trx.deleteFrom('trusted_devices').where('user_id', '=', account.id).execute()
      await refreshSecondFactor(trx, account, { keep: null })
    })
    bus.announce('user.changed', { userId: account.id })
    note(call, account.username, row.kind, { before: row.kind === 'totp' ? 'on' : row.name })
  }

  return {
    async list(viewer: Viewer): Promise<WireFactors> {
      const account = await accountOf(viewer)
      const rows = await store.confirmedOf(db, account.id)
      const totp = rows.find(({ kind }) => kind === 'totp')
      return {
        required: isFactorRequired(account, viewer.access.may.admin, await settings.read()),
        totp: totp === undefined ? null : { created: totp.created_at, lastUsed: totp.last_used_at },
        passkeys: rows
          .filter(({ kind }) => kind === 'passkey')
          .map(({ id, name, site, created_at, last_used_at }) => ({ id, name, site, created: created_at, lastUsed: last_used_at })),
        recoveryCodes: await store.countCodes(db, account.id),
        devices: await devices.list(account),
      }
    },

    /** A new key for an authenticator app. It counts once a code of it was right; until then the one before does. */
    async startTotp({ viewer }: FactorsCall): Promise<{ secret: string; uri: string }> {
      const account = await accountOf(viewer)
      const { branding } = await requireAsking()
      const secret = newTotpSecret()
      const id = randomUUID()
      await db.transaction().execute(async (trx) => {
        await store.removePendingTotp(trx, account.id)
        await store.insertFactor(trx, { ...blank(account, now()), id, credential: id, kind: 'totp', secret, confirmed: 0 })
      })
      return { secret, uri: totpUri(secret, { issuer: branding.name || 'Satchel', account: account.username }) }
    },

    /** Fails with `wrong-code`. */
    async confirmTotp(call: FactorsCall, code: string): Promise<string[] | undefined> {
      const account = await accountOf(call.viewer)
      const row = (await store.pendingTotp(db, account.id)) ?? fail('wrong-code', {})
      if (now() - row.created_at > PENDING_MS) fail('wrong-code', {})
      const step = stepOf(code, row.secret, now()) ?? fail('wrong-code', {})
      const codes = await adding(account, call, async (trx) => {
        if (!(await store.advance(trx, row, { counter: step, now: now() }))) fail('wrong-code', {})
        await store.removeOtherTotp(trx, account.id, row.id)
      })
      note(call, account.username, 'totp', { after: 'on' })
      return codes
    },

    /** Fails with `not-found`. */
    async removeTotp(call: FactorsCall): Promise<void> {
      const account = await accountOf(call.viewer)
      const row = (await store.confirmedOf(db, account.id)).find(({ kind }) => kind === 'totp') ?? fail('not-found', {})
      await removing(account, call, row)
    },

    /** Fails with `not-found` without a second factor. */
    async renewCodes(call: FactorsCall): Promise<string[]> {
      const account = await accountOf(call.viewer)
      if (!account.secondFactor) fail('not-found', {})
      const codes = newRecoveryCodes()
      await db.transaction().execute((trx) => store.replaceCodes(trx, account.id, codes.map(recoveryHash)))
      note(call, account.username, 'recovery')
      return codes
    },

    async challenge({ viewer }: FactorsCall, origin: string): Promise<{ ticket: string; options: PasskeyCreation }> {
      const account = await accountOf(viewer)
      const { branding } = await requireAsking()
      const passkeys = (await store.confirmedOf(db, account.id)).filter(({ kind }) => kind === 'passkey')
      if (passkeys.length >= MAX_PASSKEYS) fail('invalid-input', { issues: [`passkeys: more than ${MAX_PASSKEYS}`] })
      const options = creationFor(account, { origin, passkeys, name: branding.name || 'Satchel' })
      const ticket = await tickets.issue({ kind: 'register', account, challenge: { challenge: options.challenge, origin } })
      return { ticket, options }
    },

    /** Fails with `wrong-code` if it does not answer the challenge of the ticket. */
    async addPasskey(
      call: FactorsCall,
      { ticket: secret, name, passkey }: { ticket: string; name: string; passkey: NewPasskey },
    ): Promise<string[] | undefined> {
      const account = await accountOf(call.viewer)
      const ticket = await tickets.find('register', secret)
      const taken = ticket?.user_id === account.id ? await tickets.takeChallenge(ticket) : null
      const made = taken === null ? null : await verifyNew(passkey, taken)
      if (made === null) fail('wrong-code', {})
      const shown = readName(name)
      const row = { ...blank(account, now()), ...made, id: randomUUID(), kind: 'passkey', name: shown, confirmed: 1 }
      const codes = await adding(account, call, (trx) => store.insertFactor(trx, row)).catch((error: unknown) =>
        isUniqueViolation(error) ? fail('wrong-code', {}, { cause: error }) : Promise.reject(error),
      )
      if (!(await settings.read()).passkeys) await settings.change((before) => ({ ...before, passkeys: true }))
      note(call, account.username, 'passkey', { after: shown })
      return codes
    },

    /** Fails with `not-found`. */
    async renamePasskey({ viewer }: FactorsCall, id: string, name: string): Promise<void> {
      if (!(await store.renameFactor(db, viewer.userId, { id, name: readName(name) }))) fail('not-found', {})
    },

    /** Fails with `not-found`. */
    async removePasskey(call: FactorsCall, id: string): Promise<void> {
      const account = await accountOf(call.viewer)
      const row = (await store.confirmedOf(db, account.id)).find((one) => one.kind === 'passkey' && one.id === id) ?? fail('not-found', {})
      await removing(account, call, row)
    },

    /** Fails with `not-found`. */
    async forgetDevice(call: FactorsCall, id: string): Promise<void> {
      if (!(await devices.forget(call.viewer.userId, id))) fail('not-found', {})
      note(call, call.viewer.username, 'device')
    },

    /** Everything, for somebody who has lost it. Fails with `not-found`. */
    async removeAll(userId: number, call: FactorsCall): Promise<void> {
      const account = (await users.find(userId)) ?? fail('not-found', {})
      await db.transaction().execute(async (trx) => {
        await forgetFactors(trx, account.id)
        await refreshSecondFactor(trx, account, { keep: null })
      })
      bus.announce('user.changed', { userId })
      note(call, account.username, 'everything')
    },
  }

  async function requireAsking() {
    const current = await settings.read()
    // Where a proxy vouches for people, or nobody signs in, no factor would ever be asked for.
    return asksForFactors(current) ? current : fail('method-not-allowed', { allow: [] })
  }
}

function blank({ id: user_id }: Account, created_at: number) {
  return { user_id, name: '', site: '', transports: '[]', counter: -1, created_at, last_used_at: null }
}

/** Fails with `invalid-input` without a name. */
function readName(name: string): string {
  const shown = name.trim().slice(0, MAX_NAME_LENGTH)
  return shown === '' ? fail('invalid-input', { issues: ['name: empty'] }) : shown
}
