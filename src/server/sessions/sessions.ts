import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AuditDetail, AuditKind } from '../../shared/contract/audit.ts'
import type { Device } from '../../shared/contract/session.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import { hashOf, newSecret } from '../db/secret.ts'
import type { SecondFactors } from '../factors/module.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Account } from '../users/account.ts'
import { type GrantedTo, ownRights } from '../users/access-of.ts'
import { firstMinuteOf } from '../users/first-minute.ts'
import type { Users } from '../users/users.ts'
import { devicesFrom } from './devices.ts'
import type { DirectorySignIn } from './directory-sign-in.ts'
import { followSignIn } from './follow-sign-in.ts'
import { createIdentities } from './identities.ts'
import type { Limiter } from './limiter.ts'
import type { SignInAttempt, SignInMethods } from './methods.ts'
import type { Opened, Origin } from './opened.ts'
import { createProof } from './proof.ts'
import { createSecondStep } from './second-step.ts'
import { sessionEnd, MAX_FAMILY, MAX_SIGN_INS, RENEW_GRACE_MS, replacedEnd, tokenEnd } from './session-lifetime.ts'
import * as store from './store.ts'
import type { SessionRow } from './store.ts'
import { writeToken } from './token.ts'

/** A sign-in with credentials, or asserted by a proxy. */
export interface SignIn extends Omit<SignInAttempt, 'address'> {
  readonly web: boolean
  /** The secrets of trusted devices in the cookies of the request. */
  readonly devices?: readonly string[]
  readonly from: Origin
}

export interface SessionsOptions {
  db: Kysely<Schema>
  bus: Bus
  users: Users
  settings: SettingsReader
  grantedTo: GrantedTo
  /** Of passwords. */
  limiter: Limiter
  /** Of codes. */
  codeLimiter: Limiter
  factors: SecondFactors
  methods: SignInMethods
  directories: () => DirectorySignIn
  clock: () => Date
  /** The option tokenExpirationTime in milliseconds: the lifetime of a token, and the idle time of a web session. */
  lifetimeMs: number
  /** Called when a token was reused that must not be: somebody has a copy. Contains no secret. */
  log: (line: string) => void
}

interface NoteOptions {
  readonly from: Pick<Origin, 'address'>
  readonly details?: AuditDetail[]
}

const NOWHERE: Pick<Origin, 'address'> = { address: null }

/** Somebody has signed in. Never fails. @returns a secret by which the browser will be known; null if it is known, or none is needed */
export type OnSignIn = (account: Account, how: { from: Origin; web: boolean }) => Promise<string | null>

/** What is done with what a first proof carries, such as the provider by which somebody came. */
export interface CarriedProofs {
  /** When a session opens: at once, or after the second factor. */
  keep(token: string, carried: string): Promise<void>
  /** Whether it still counts, for a second factor that comes later. */
  counts(account: Account, carried: string): Promise<boolean>
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions(options: SessionsOptions) {
  const { db, bus, users, settings, grantedTo, codeLimiter, methods, clock, lifetimeMs, log } = options
  const identities = createIdentities({ db, users, settings, grantedTo, clock })
  const forget = (userId: number): void => identities.forget((row) => row.user_id === userId)
  bus.on('user.changed', ({ userId }) => forget(userId))
  bus.on('session.changed', ({ userId }) => forget(userId))
  bus.on('group.changed', ({ userId }) => identities.forget((row) => userId === null || row.user_id === userId))
  /** At once here, and for everything that runs with one of these sessions, also on other servers. */
  const announce = (userId: number): void => {
    forget(userId)
    bus.announce('session.changed', { userId })
  }

  async function tokenFor(account: Account, { secret, now, provenAt }: { secret: string; now: number; provenAt: number }): Promise<string> {
    const expiresAt = new Date(tokenEnd({ created: now, lifetimeMs, provenAt }))
    const may = ownRights(account, await grantedTo(account.id))
    const firstMinute = firstMinuteOf(account, may.admin, await settings.read())
    return writeToken(secret, {
      account,
      may,
      firstMinute,
      issuedAt: new Date(now),
      expiresAt,
    })
  }

  /** Opens a session for an account that was verified in another way. */
  async function open(
    account: Account,
    { web, from, proofAt = null }: { web: boolean; from: Origin; proofAt?: number | null },
  ): Promise<Opened> {
    const now = clock().getTime()
    const secret = newSecret()
    const cookie = web ? newSecret() : null
    const row = {
      id: randomUUID(),
      key_hash: hashOf(secret),
      cookie_hash: cookie === null ? null : hashOf(cookie),
      family: randomUUID(),
      user_id: account.id,
      // The value when the password was checked: a change meanwhile invalidates this session.
      auth_epoch: account.authEpoch,
      user_version: account.version,
      created_at: now,
      last_seen_at: now,
      idle_ms: lifetimeMs,
      expires_at: sessionEnd({ created: now, lifetimeMs, provenAt: now, web }),
      proven_at: now,
      ...describe(from),
      revoked_at: null,
      replaced_at: null,
      proof_at: proofAt,
    }
    await identities.touchBusy()
    const ended = await db.transaction().execute(async (trx) => {
      await store.removeEnded(trx, now)
      await store.insertSession(trx, row)
      return store.endOldest(trx, account.id, { keep: MAX_SIGN_INS, now })
    })
    if (ended.length > 0) announce(account.id)
    return { token: await tokenFor(account, { secret, now, provenAt: now }), cookie }
  }

  function note(kind: AuditKind, who: Pick<Account, 'id' | 'username'> | null, { from, details = [] }: NoteOptions): void {
    const by = who === null ? null : { id: who.id, name: who.username }
    bus.announce('noted', { kind, by, address: from.address, subject: who?.username ?? '', details })
  }

  /** Only names that exist: people type passwords into the wrong field. */
  async function noteFailure(username: string, from: Origin): Promise<void> {
    try {
      const account = username === '' ? null : await users.findByName(username)
      bus.announce('noted', { kind: 'sign-in-failed', by: null, address: from.address, subject: account?.username ?? '' })
    } catch (error) {
      log(`audit: ${String(error)}`)
    }
  }

  async function liveOf(userId: number): Promise<SessionRow[]> {
    const { authEpoch } = (await users.find(userId)) ?? fail('not-found', {})
    await identities.touchBusy()
    return store.listLive(db, userId, { now: clock().getTime(), authEpoch })
  }

  let onSignIn: OnSignIn = async () => null
  let carriedProofs: CarriedProofs = { keep: async () => undefined, counts: async () => true }

  const second = createSecondStep({
    ...options,
    limiter: codeLimiter,
    onFailure: noteFailure,
    stillCounts: (account, carried) => carriedProofs.counts(account, carried),
    async enter(account, { method, second: way, isComplete, carried = '', ...how }) {
      const opened = await open(account, { ...how, proofAt: isComplete ? null : 0 })
      if (carried !== '') await carriedProofs.keep(opened.token, carried)
      const details = [
        { place: 'method', before: null, after: method },
        ...(way === null ? [] : [{ place: 'second', before: null, after: way }]),
      ]
      note('sign-in', account, { from: how.from, details })
      return method === 'noauth' ? opened : { ...opened, browser: await onSignIn(account, how) }
    },
  })

  const proof = createProof({
    ...options,
    async renewProof(sessionId) {
      const row = (await store.findSession(db, sessionId)) ?? fail('sign-in-needed', {})
      await store.setProof(db, row.family, clock().getTime())
      announce(row.user_id)
    },
  })

  return {
    open,
    onEntered(how: CarriedProofs): void {
      carriedProofs = how
    },
    /** Whom to tell of every sign-in. */
    onSignIn(listener: OnSignIn): void {
      onSignIn = listener
    },
    ...second,
    ...proof,
    /** Finds the viewer; null if the token is unknown, has ended, or lacks the cookie it is bound to. Without a token the cookie alone counts. */
    identify: identities.identify,
    /** A call of this viewer begins: while an upload or a film is in progress, the sign-in is not idle. */
    during: identities.during,

    /**
     * By the configured method. Fails with `wrong-credentials`, `too-many-requests`, or after the right password `second-factor-needed`; unknown names
     * take the same time.
     */
    async signIn({ web, from, devices = [], ...asked }: SignIn): Promise<Opened> {
      try {
        const { account, ...how } = await methods.enter({ ...asked, address: from.address })
        return await second.afterFirstProof(account, { ...how, web, from, devices })
      } catch (error) {
        if (isAppError(error, 'wrong-credentials')) void noteFailure(asked.username, from)
        throw error
      }
    },

    /**
     * Issues a new token for an old one, which other calls may use until its own expiry. For our web application, whose tokens nobody else has,
     * renewing one that was renewed more than 30 s ago ends its whole family and fails with `sign-in-needed`; other clients may renew a token any
     * number of times until its expiry.
     */
    async renew(sessionId: string, { web, from }: { web: boolean; from: Origin }): Promise<Opened> {
      const now = clock().getTime()
      const old = (await store.findSession(db, sessionId)) ?? fail('sign-in-needed', {})
      // Before the transaction, which holds the only connection.
      const account = (await users.find(old.user_id)) ?? fail('sign-in-needed', {})
      const secret = newSecret()
      const cookie = web && old.cookie_hash === null ? newSecret() : null

      const outcome = await db.transaction().execute(async (trx) => {
        const row = await store.findSession(trx, sessionId)
        if (row === null || row.revoked_at !== null) return 'ended'
        if (row.cookie_hash !== null && row.replaced_at !== null && now - row.replaced_at > RENEW_GRACE_MS) {
          await store.revokeFamily(trx, row.family, now)
          return 'reused'
        }
        if ((await store.countFamily(trx, row.family)) >= MAX_FAMILY) return 'too many'
        await store.markReplaced(trx, row.id, { replaced_at: now, expires_at: replacedEnd(row, now) })
        await store.insertSession(trx, {
          ...row,
          ...describe(from),
          id: randomUUID(),
          key_hash: hashOf(secret),
          cookie_hash: cookie === null ? row.cookie_hash : hashOf(cookie),
          user_version: account.version,
          created_at: now,
          last_seen_at: now,
          idle_ms: lifetimeMs,
          expires_at: sessionEnd({ created: now, lifetimeMs, provenAt: row.proven_at, web: web || row.cookie_hash !== null }),
          replaced_at: null,
        })
        return 'renewed'
      })

      if (outcome === 'renewed') identities.forget((row) => row.family === old.family)
      else announce(old.user_id)
      if (outcome === 'too many') fail('too-many-requests', { retryAfterSeconds: 60 })
      if (outcome === 'reused') {
        log(`session family ${old.family} of user ${old.user_id} ended: a replaced token was renewed again`)
        note('token-reused', account, { from })
      }
      if (outcome !== 'renewed') fail('sign-in-needed', {})
      return { token: await tokenFor(account, { secret, now, provenAt: old.proven_at }), cookie }
    },

    /** Ends this sign-in on this device, with all of its renewed tokens. */
    async signOut(sessionId: string, from: Pick<Origin, 'address'> = NOWHERE): Promise<void> {
      const row = await store.findSession(db, sessionId)
      if (row === null) return
      await store.revokeFamily(db, row.family, clock().getTime())
      announce(row.user_id)
      note('sign-out', await users.find(row.user_id), { from })
    },

    /** The viewer's active sign-ins, the most recently used first. */
    async devices({ userId, sessionId }: Viewer): Promise<Device[]> {
      return devicesFrom(await liveOf(userId), sessionId)
    },

    /** Ends one of the viewer's own sign-ins. Fails with `not-found` for any other. @returns whether it is the current one */
    async endDevice(
      { userId, username, sessionId }: Viewer,
      id: string,
      from: Pick<Origin, 'address'> = NOWHERE,
    ): Promise<{ current: boolean }> {
      const rows = (await liveOf(userId)).filter(({ family }) => family === id)
      if (rows.length === 0) fail('not-found', {})
      await store.revokeFamily(db, id, clock().getTime())
      announce(userId)
      note('sign-out', { id: userId, username }, { from, details: [{ place: 'device', before: rows[0]?.ip ?? '', after: null }] })
      return { current: rows.some((row) => row.id === sessionId) }
    },

    /** Ends every session of a user at once. */
    async endAllOf(userId: number, from: Pick<Origin, 'address'> = NOWHERE): Promise<void> {
      await users.endSessions(userId)
      await store.revokeAllOf(db, userId, clock().getTime())
      announce(userId)
      note('sign-out', await users.find(userId), { from, details: [{ place: 'everywhere', before: null, after: null }] })
    },

    /** Tells whether the sign-in of a session still counts for the work it started (`followSignIn`). */
    follow: (sessionId: string): Promise<() => Promise<boolean>> => followSignIn({ db, users, clock }, sessionId),

    /** What a sign-in keeps when its token is renewed; null if the session has ended. */
    async familyOf(sessionId: string): Promise<string | null> {
      const row = await store.findSession(db, sessionId)
      return row === null || row.revoked_at !== null ? null : row.family
    },

    /** Removes ended sessions; call it periodically. */
    async sweep(): Promise<void> {
      await identities.touchBusy()
      await store.removeEnded(db, clock().getTime())
    },
  }
}

function describe({ address, userAgent }: Origin): { ip: string; user_agent: string } {
  return { ip: address ?? '', user_agent: userAgent.slice(0, 255) }
}
