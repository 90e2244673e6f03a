import type { PasskeyProof, PasskeyRequest, SecondProof } from '../../shared/contract/second-proof.ts'
import { fail } from '../../shared/errors.ts'
import { requestFor } from '../factors/passkeys.ts'
import type { SecondFactors } from '../factors/module.ts'
import type { Ticket } from '../factors/tickets.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Account } from '../users/account.ts'
import { networksOf } from '../users/networks.ts'
import { asksForFactors } from '../users/second-factor.ts'
import { usernameKey } from '../users/username.ts'
import type { Users } from '../users/users.ts'
import { createBuckets } from './buckets.ts'
import type { Limiter } from './limiter.ts'
import type { Opened, Origin } from './opened.ts'

/** Somebody has proven once who they are. */
export interface FirstProof {
  /** For the audit trail: the method of the settings, or the name of a provider. */
  readonly method: string
  readonly web: boolean
  readonly from: Origin
  /** The secrets of trusted devices in the cookies of the request. */
  readonly devices: readonly string[]
  /** Whether this proof was by two factors already: a passkey alone, or a provider that says so. */
  readonly hasSecond?: boolean
  /** Whether it was just now; not if a provider let somebody through whom it knew for long. By default it was. */
  readonly isRecent?: boolean
  /** Given to those who wait with `onEntered`, once the session opens. */
  readonly carried?: string
}

interface Entering {
  readonly web: boolean
  readonly from: Origin
}

/** An opened session, and the secret of a newly trusted device. */
export interface Completed {
  readonly opened: Opened
  readonly device: { readonly userId: number; readonly secret: string } | null
}

interface SecondStepOptions {
  readonly users: Users
  readonly settings: SettingsReader
  readonly factors: SecondFactors
  /** Counts codes, apart from passwords: a right password must not reset it. */
  readonly limiter: Limiter
  readonly clock: () => Date
  /** `isComplete`: not only a first factor on a trusted device. */
  readonly enter: (
    account: Account,
    how: Entering & { method: string; second: string | null; isComplete: boolean; carried?: string },
  ) => Promise<Opened>
  readonly onFailure: (username: string, from: Origin) => Promise<void>
  /** Whether what a first proof carries still counts: it may have been taken back while the second step was waited for. */
  readonly stillCounts: (account: Account, carried: string) => Promise<boolean>
}

/** Challenges that one network may ask for without being signed in, each of which is a row of the database. */
const CHALLENGES = { burst: 30, perSecond: 0.5 }
const REMEMBERED = 20_000

/** What comes after the first proof of a sign-in, whatever it was. */
export function createSecondStep({ users, settings, factors, limiter, clock, enter, onFailure, stillCounts }: SecondStepOptions) {
  const { tickets, devices, proofs } = factors
  const bucketOf = createBuckets({ remembered: REMEMBERED })

  /** A half-done sign-in, and its account as it is now. Fails with `sign-in-needed` if either does not count any more. */
  async function resume(secret: string): Promise<{ ticket: Ticket; account: Account }> {
    const ticket = (await tickets.find('second', secret)) ?? fail('sign-in-needed', {})
    const account = await users.find(ticket.user_id ?? 0)
    if (account === null || account.disabled || account.authEpoch !== ticket.auth_epoch) return fail('sign-in-needed', {})
    if (ticket.carried !== '' && !(await stillCounts(account, ticket.carried))) return fail('sign-in-needed', {})
    return { ticket, account }
  }

  async function refuse(code: 'wrong-code' | 'wrong-credentials', username: string, from: Origin): Promise<never> {
    await onFailure(username, from)
    return fail(code, {})
  }

  function limitChallenges(address: string | null): void {
    const now = clock().getTime()
    const bucket = bucketOf(address === null ? '' : networksOf(address).own, CHALLENGES)
    if (!bucket.has(now)) fail('too-many-requests', { retryAfterSeconds: Math.ceil(1 / CHALLENGES.perSecond) })
    bucket.take(now)
  }

  return {
    /**
     * The one way from a first proof to a session, for every method of signing in. Fails with `second-factor-needed` if the account has a second factor
     * that was not proven, unless the device is trusted.
     */
    async afterFirstProof(
      account: Account,
      { method, web, from, devices: secrets, hasSecond = false, isRecent = true, carried = '' }: FirstProof,
    ): Promise<Opened> {
      const isAsked = account.secondFactor && !hasSecond && asksForFactors(await settings.read())
      if (!isAsked) return enter(account, { web, from, method, second: null, isComplete: isRecent, carried })
      if (await devices.isTrusted(account, secrets))
        return enter(account, { web, from, method, second: 'device', isComplete: false, carried })
      const ticket = await tickets.issue({ kind: 'second', account, detail: method, carried })
      return fail('second-factor-needed', { ticket, ways: await proofs.ways(account) })
    },

    /** Fails with `wrong-code`, `too-many-requests`, and `sign-in-needed` if the ticket does not count any more. */
    async complete(
      { ticket: secret, trust, ...proof }: SecondProof & { ticket: string; trust: boolean },
      { web, from }: Entering,
    ): Promise<Completed> {
      const { ticket, account } = await resume(secret)
      const attempt = await limiter.begin({ address: from.address, account: usernameKey(account.username) })
      if (!(await tickets.countTry(ticket))) fail('sign-in-needed', {})
      const challenge = proof.passkey === undefined ? null : await tickets.takeChallenge(ticket)
      const proven = await proofs.check(account, proof, challenge)
      if (proven === null) return refuse('wrong-code', account.username, from)
      await attempt.succeeded()
      if (!(await tickets.useUp(ticket))) fail('sign-in-needed', {})
      const opened = await enter(account, {
        web,
        from,
        method: ticket.detail,
        second: proven.way,
        isComplete: true,
        carried: ticket.carried,
      })
      const device = trust && web ? { userId: account.id, secret: await devices.trust(account, from) } : null
      return { opened, device }
    },

    /** A challenge for a passkey as second factor. The last one counts. */
    async challenge(secret: string, origin: string): Promise<PasskeyRequest> {
      const { ticket, account } = await resume(secret)
      const passkeys = await proofs.passkeysAt(account, origin)
      const options = requestFor({ origin, passkeys, userVerification: 'preferred' })
      await tickets.setChallenge(ticket, { challenge: options.challenge, origin })
      return options
    },

    /** A challenge for a passkey alone. Fails with `too-many-requests`. */
    async passkeyChallenge(origin: string, { address }: { address: string | null }): Promise<{ ticket: string; options: PasskeyRequest }> {
      limitChallenges(address)
      const options = requestFor({ origin, passkeys: [], userVerification: 'required' })
      const ticket = await tickets.issue({ kind: 'passkey', account: null, challenge: { challenge: options.challenge, origin } })
      return { ticket, options }
    },

    /** Signs in with a passkey alone, whose authenticator must have verified its user. Fails with `wrong-credentials`. */
    async byPasskey({ ticket: secret, passkey }: { ticket: string; passkey: PasskeyProof }, { web, from }: Entering): Promise<Opened> {
      // The provider then decides who may sign in.
      if ((await settings.read()).providersOnly) fail('forbidden', { right: 'password' })
      const ticket = await tickets.find('passkey', secret)
      const challenge = ticket !== null && (await tickets.useUp(ticket)) ? ticket : null
      const proven = challenge === null || !asksForFactors(await settings.read()) ? null : await proofs.byPasskey(passkey, challenge)
      const account = proven === null ? null : await users.find(proven.userId)
      if (account === null || proven?.userVerified !== true || account.disabled || !proofs.isOwnHandle(account, passkey))
        return refuse('wrong-credentials', account?.username ?? '', from)
      return enter(account, { web, from, method: 'passkey', second: null, isComplete: true })
    },
  }
}
