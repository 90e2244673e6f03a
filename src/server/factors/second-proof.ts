import type { Kysely } from 'kysely'
import type { PasskeyProof, SecondProof, SecondWay } from '../../shared/contract/second-proof.ts'
import type { Schema } from '../db/schema.ts'
import type { Account } from '../users/account.ts'
import { handleOf, siteOf, verifyProof } from './passkeys.ts'
import { recoveryHash } from './recovery-codes.ts'
import * as store from './store.ts'
import type { Challenge } from './tickets.ts'
import { stepOf } from './totp.ts'

/** What was proven: `alone` if it stands for the password as well, because the authenticator verified its user. */
export interface Proven {
  readonly way: SecondWay
  readonly alone: boolean
}

export type SecondProofs = ReturnType<typeof createSecondProofs>

/** Checks second factors. What was accepted counts once, on whatever server: the row that is changed decides. */
export function createSecondProofs({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  const now = (): number => clock().getTime()

  async function byCode({ id }: Account, code: string): Promise<boolean> {
    const row = (await store.confirmedOf(db, id)).find(({ kind }) => kind === 'totp')
    if (row === undefined) return false
    const step = stepOf(code, row.secret, now())
    return step !== null && step > row.counter && store.advance(db, row, { counter: step, now: now() })
  }

  /** The passkey that answered a challenge; null if it is unknown, or its answer is not right. */
  async function byPasskey(proof: PasskeyProof, challenge: Challenge): Promise<{ userId: number; userVerified: boolean } | null> {
    const row = await store.findPasskey(db, proof.id)
    if (row === null) return null
    const verified = await verifyProof(row, proof, challenge)
    if (verified === null) return null
    // Authenticators without a counter always say 0.
    const isNew = await store.advance(db, row, { counter: verified.counter, now: now() })
    return isNew ? { userId: row.user_id, userVerified: verified.userVerified } : null
  }

  return {
    byPasskey,

    /** Checks the one that was given. @param challenge that of a passkey, taken; null if there is none */
    async check(account: Account, { code, recovery, passkey }: SecondProof, challenge: Challenge | null): Promise<Proven | null> {
      if (passkey !== undefined) {
        const proven = challenge === null ? null : await byPasskey(passkey, challenge)
        return proven?.userId === account.id ? { way: 'passkey', alone: proven.userVerified } : null
      }
      if (code !== undefined) return (await byCode(account, code)) ? { way: 'totp', alone: false } : null
      if (recovery === undefined) return null
      return (await store.useUpCode(db, account.id, recoveryHash(recovery))) ? { way: 'recovery', alone: false } : null
    },

    /** Whether a passkey said that it belongs to this account; one that is discoverable always says so. */
    isOwnHandle: (account: Account, { response: { userHandle } }: PasskeyProof): boolean =>
      userHandle === undefined || userHandle === '' || userHandle === handleOf(account),

    /** What the account can prove. */
    async ways({ id }: Account): Promise<SecondWay[]> {
      const kinds = new Set((await store.confirmedOf(db, id)).map(({ kind }) => kind))
      const codes = await store.countCodes(db, id)
      return [
        ...(kinds.has('totp') ? (['totp'] as const) : []),
        ...(kinds.has('passkey') ? (['passkey'] as const) : []),
        ...(codes > 0 ? (['recovery'] as const) : []),
      ]
    },

    /** Its passkeys that work at an origin. */
    async passkeysAt({ id }: Account, origin: string): Promise<store.FactorRow[]> {
      return (await store.confirmedOf(db, id)).filter(({ kind, site }) => kind === 'passkey' && site === siteOf(origin))
    },
  }
}
