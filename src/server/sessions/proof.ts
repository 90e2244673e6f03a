import type { PasskeyRequest, SecondProof } from '../../shared/contract/second-proof.ts'
import { fail } from '../../shared/errors.ts'
import type { Caller } from '../access/caller.ts'
import type { Viewer } from '../access/viewer.ts'
import type { SecondFactors } from '../factors/module.ts'
import { requestFor } from '../factors/passkeys.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Account } from '../users/account.ts'
import { NO_PASSWORD } from '../users/password.ts'
import { asksForFactors } from '../users/second-factor.ts'
import { usernameKey } from '../users/username.ts'
import type { Users } from '../users/users.ts'
import type { DirectorySignIn } from './directory-sign-in.ts'
import type { Limiter } from './limiter.ts'
import { PROOF_MS } from './session-lifetime.ts'

interface ProofOptions {
  readonly users: Users
  readonly settings: SettingsReader
  readonly factors: SecondFactors
  /** Of passwords, and of codes. */
  readonly limiter: Limiter
  readonly codeLimiter: Limiter
  readonly directories: () => DirectorySignIn
  readonly clock: () => Date
  /** From now on this sign-in has proven completely who it is. */
  readonly renewProof: (sessionId: string) => Promise<void>
}

export interface GivenProof extends SecondProof {
  readonly password?: string | undefined
  readonly ticket?: string | undefined
}

/** Asking again who somebody is, before changes that matter. */
export function createProof({ users, settings, factors, limiter, codeLimiter, directories, clock, renewProof }: ProofOptions) {
  const { proofs, tickets } = factors

  const isFresh = ({ provenAt }: Viewer): boolean => Math.abs(clock().getTime() - provenAt.getTime()) <= PROOF_MS

  async function accountOf({ userId }: Viewer): Promise<Account> {
    return (await users.find(userId)) ?? fail('sign-in-needed', {})
  }

  async function isOwnPassword({ viewer, address, password }: Caller): Promise<boolean> {
    if (password === undefined || password === '') return false
    const attempt = await limiter.begin({ address, account: usernameKey(viewer.username) })
    const isOurs = (await users.prove(viewer.username, password, { address }))?.id === viewer.userId
    if (!isOurs && !(await isInDirectory({ viewer, address, password }))) return false
    await attempt.succeeded()
    return true
  }

  async function isInDirectory({
    viewer,
    address,
    password,
  }: {
    viewer: Viewer
    address: string | null
    password: string
  }): Promise<boolean> {
    if ((await settings.read()).authMethod !== 'json') return false
    const account = await accountOf(viewer)
    return !account.disabled && directories().proves(account, { password, address })
  }

  /** Those who sign in through a provider have no password that could be asked for. */
  async function hasNoPassword({ id, passwordHash }: Account): Promise<boolean> {
    return passwordHash === NO_PASSWORD && !(await directories().keepsPasswordOf(id))
  }

  /** A wrong password is not told from a wrong code: both are checked. */
  async function isProven(account: Account, { ticket: secret, password, ...second }: GivenProof, caller: Caller): Promise<boolean> {
    const knows = await isOwnPassword({ ...caller, password })
    if (!account.secondFactor) return knows
    const attempt = await codeLimiter.begin({ address: caller.address, account: usernameKey(account.username) })
    const ticket = secret === undefined ? null : await tickets.find('proof', secret)
    const challenge = ticket?.user_id === account.id ? await tickets.takeChallenge(ticket) : null
    const isEnough = knows || (await hasNoPassword(account))
    // A code is not used up for nothing.
    const proven = isEnough || second.passkey !== undefined ? await proofs.check(account, second, challenge) : null
    if (proven === null || !(isEnough || proven.alone)) return false
    await attempt.succeeded()
    return true
  }

  return {
    hasNoPassword,

    /**
     * Passes clients that signed in within the last five minutes, or give their own password now and have no second factor, and everybody if people sign
     * in elsewhere. With the setting `compatibility`, clients other than our web application pass for as long as their sign-in lasts. Fails with
     * `proof-needed`, with `too-many-requests` after wrong guesses, and with `forbidden` for an API token.
     */
    async requireProof(caller: Caller): Promise<void> {
      const { viewer } = caller
      // A token proves that somebody has the token, and nothing else.
      if (viewer.token !== undefined) fail('forbidden', { right: 'token' })
      if (isFresh(viewer)) return
      const { authMethod, compatibility } = await settings.read()
      const { secondFactor } = await accountOf(viewer)
      if (authMethod !== 'json' && !(secondFactor && authMethod === 'hook')) return
      // Clients of the predecessor cannot ask for a password in between; our web application can.
      if (compatibility && !viewer.isWeb) return
      if (secondFactor || !(await isOwnPassword(caller))) fail('proof-needed', {})
    },

    /** For second factors themselves: whatever the client, and nothing but a sign-in or a proof of the last five minutes. */
    async requireFreshProof({ viewer }: Omit<Caller, 'password'>): Promise<void> {
      if (viewer.token !== undefined) fail('forbidden', { right: 'token' })
      if (!isFresh(viewer) && asksForFactors(await settings.read())) fail('proof-needed', {})
    },

    /** Counts a code of an authenticator app that is being set up. @returns to be called if it was right */
    async countCode({ viewer, address }: Omit<Caller, 'password'>): Promise<() => Promise<void>> {
      const attempt = await codeLimiter.begin({ address, account: usernameKey(viewer.username) })
      return () => attempt.succeeded()
    },

    /** Proves it again, for this sign-in. Fails with `proof-needed` and `too-many-requests`. */
    async prove(given: GivenProof, caller: Omit<Caller, 'password'>): Promise<void> {
      const account = await accountOf(caller.viewer)
      if (!(await isProven(account, given, { ...caller, password: given.password }))) fail('proof-needed', {})
      await renewProof(caller.viewer.sessionId)
    },

    /** A challenge for `prove` with a passkey. */
    async proofChallenge(viewer: Viewer, origin: string): Promise<{ ticket: string; options: PasskeyRequest }> {
      const account = await accountOf(viewer)
      const passkeys = await proofs.passkeysAt(account, origin)
      const options = requestFor({ origin, passkeys, userVerification: 'preferred' })
      const ticket = await tickets.issue({ kind: 'proof', account, challenge: { challenge: options.challenge, origin } })
      return { ticket, options }
    },
  }
}
