import type { Kysely } from 'kysely'
import { fail, isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Caller } from '../access/caller.ts'
import { EVERYTHING } from '../access/everything.ts'
import { ConfigError } from '../config/config-error.ts'
import { databaseLocationOf, shownDatabase } from '../config/database-location.ts'
import { createTrail } from '../audit/trail.ts'
import type { Bus, AuditEvent } from '../bus/bus.ts'
import { clockOf, isThere, openDatabase, type Upgrades } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { createFactorsModule } from '../factors/module.ts'
import { checkSettings } from '../settings/check.ts'
import { isFolder } from '../settings/is-folder.ts'
import type { Settings } from '../settings/settings.ts'
import { createSettings } from '../settings/store.ts'
import { toWire } from '../settings/wire.ts'
import type { Account } from '../users/account.ts'
import { createTokenStore } from '../tokens/store.ts'
import { createTokens } from '../tokens/tokens.ts'
import { createManagement } from '../users/manage.ts'
import { createPasswords } from '../users/password.ts'
import { createPasswordPolicy } from '../users/policy.ts'
import { createUsers } from '../users/users.ts'
import { createGroupsModule } from '../groups/module.ts'
import { createQuotaStore } from '../quotas/store.ts'
import { createWebhookStore } from '../webhooks/store.ts'

/** What commands work with: accounts and settings in the database, possibly while a server uses it. */
export type AdminContext = Awaited<ReturnType<typeof openAdminContext>>

/** Anyone who can read and write the database is the administrator; there is no user and no session. */
export const OPERATOR: Caller = {
  viewer: {
    userId: 0,
    username: '',
    sessionId: '',
    access: EVERYTHING,
    sorting: { by: 'name', asc: false },
    provenAt: new Date(0),
    isWeb: false,
    shouldRenew: false,
  },
  address: 'cli',
  password: undefined,
}
/** In the audit trail; the address says the rest. */
const OPERATOR_NAME = { id: OPERATOR.viewer.userId, name: OPERATOR.viewer.username }

/** Opens the database; it must exist unless `create` is set. Dispose it. Throws `ConfigError`. */
export async function openAdminContext(database: string, { create, makeHome, upgrades }: AdminContextOptions) {
  const place = databaseLocationOf(database)
  if (!create && !(await isThere(place))) {
    throw new ConfigError(
      `there is no database at ${shownDatabase(database)}; --data or --database names another place, and "satchel config init" or the first start of the server makes one`,
    )
  }
  const db = await openDatabase(place, { clock: () => new Date(), upgrades })
  const clock = clockOf(db)
  const context = contextOn(db, { makeHome, clock })
  return {
    ...context,

    /** All that is done with this context, with its lines of the audit trail, or nothing. */
    allOrNothing<T>(action: (admin: AdminTransaction) => Promise<T>): Promise<T> {
      return db.transaction().execute(async (trx) => {
        const inside = contextOn(trx, { makeHome, clock })
        const result = await action(inside)
        await inside.settled()
        return result
      })
    },

    async [Symbol.asyncDispose](): Promise<void> {
      await context.settled()
      await db.destroy()
    },
  }
}

/** What may be done in one transaction. */
type AdminTransaction = ReturnType<typeof contextOn>

function contextOn(db: Kysely<Schema>, { makeHome, clock }: Pick<AdminContextOptions, 'makeHome'> & { clock: () => Date }) {
  const trail = createTrail({ db, clock, kept: () => now(), log: console.error })
  const bus: Bus = {
    announce: (topic, fact) => {
      // Events of this topic have this type.
      if (topic === 'noted') trail.note(fact as AuditEvent)
    },
    on: () => () => {},
  }
  const settings = createSettings({ db, bus, clock })
  // The store above does not receive its own changes, so settings are read again.
  const now = (): Promise<Settings> => createSettings({ db, bus, clock }).read()
  const users = createUsers({ db, bus, passwords: createPasswords(), clock })
  const policy = createPasswordPolicy({ settings })
  const management = createManagement({ users, bus, settings, policy, requireProof: async () => {}, makeHome })

  const { groups } = createGroupsModule({ db, bus, clock, users, requireProof: async () => {} }).services

  return {
    db,
    bus,
    /** Adds to the audit trail what does not go through the accounts and settings below. */
    note: (noted: Pick<AuditEvent, 'kind' | 'subject' | 'details'>): void =>
      trail.note({ by: OPERATOR_NAME, address: OPERATOR.address, ...noted }),
    users,
    groups,
    management,
    factors: createFactorsModule({ db, bus, users, settings, clock }).factors,
    webhooks: createWebhookStore(db),
    quotas: createQuotaStore(db),
    tokens: createTokens({ store: createTokenStore(db), users, clock, bus }),
    settings: now,

    /** By id if it is a number, otherwise by name. Throws `ConfigError` if there is none. */
    async account(who: string): Promise<Account> {
      const found = /^\d+$/.test(who) ? await users.find(Number(who)) : await users.findByName(who)
      if (found === null) throw new ConfigError(`there is no account ${/^\d+$/.test(who) ? `with the id ${who}` : JSON.stringify(who)}`)
      return found
    },

    /** Fails with `invalid-input`; nothing is written then. */
    async changeSettings(action: (before: Settings) => Settings): Promise<void> {
      const before = await now()
      await checkChange(before, action(before))
      await settings.change(action, { ...OPERATOR_NAME, address: OPERATOR.address })
    },

    /** Resolves when the audit trail is written. */
    settled: trail.settled,
  }
}

interface AdminContextOptions {
  create: boolean
  makeHome: (path: FilePath) => Promise<void>
  upgrades: Upgrades
}

/**
 * Fails with `invalid-input` for what is wrong with the new settings. What was wrong before, such as a missing folder, does not prevent another
 * change.
 */
export async function checkChange(before: Settings, after: Settings): Promise<void> {
  const known = await issuesOf(before)
  const issues = (await issuesOf(after)).filter((issue) => !known.includes(issue))
  if (issues.length > 0) fail('invalid-input', { issues })
}

async function issuesOf(wanted: Settings): Promise<string[]> {
  const { authMethod, auth } = wanted
  const missing = [
    ...(authMethod === 'proxy' && auth.header === '' ? ['auth.header: needed where auth.method is proxy'] : []),
    ...(authMethod === 'hook' && auth.command === '' ? ['auth.command: needed where auth.method is hook'] : []),
  ]
  try {
    await checkSettings(toWire(wanted), isFolder)
    return missing
  } catch (error) {
    if (!isAppError(error, 'invalid-input')) throw error
    return [...error.detail.issues, ...missing]
  }
}
