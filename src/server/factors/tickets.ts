import type { Kysely, Selectable } from 'kysely'
import type { SignInTicketsTable } from '../db/sign-in-tables.ts'
import type { Schema } from '../db/schema.ts'
import { hashOf, newSecret } from '../db/secret.ts'

/** How long the second step of a sign-in may take. */
const SECOND_MS = 5 * 60_000
/** How long a challenge to a passkey may take. */
export const CHALLENGE_MS = 2 * 60_000
/** Wrong codes for one ticket; the limiter counts over all of them. */
const MAX_TRIES = 5
/** Half-done sign-ins of one account: somebody who knows the password must not fill the disk. */
const MAX_OF_ACCOUNT = 20

export type Ticket = Selectable<SignInTicketsTable>
type Kind = 'second' | 'passkey' | 'register' | 'proof'

interface Issue {
  readonly kind: Kind
  readonly account: { readonly id: number; readonly authEpoch: number } | null
  readonly detail?: string
  readonly carried?: string
  readonly challenge?: Challenge
}

export interface Challenge {
  readonly challenge: string
  readonly origin: string
}

export type Tickets = ReturnType<typeof createTickets>

/** Secrets for steps of a sign-in, in the database, so that any server of several answers the next step. Only their hashes are stored. */
export function createTickets({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  return {
    /** @returns the secret */
    async issue({ kind, account, detail = '', carried = '', challenge }: Issue): Promise<string> {
      const now = clock().getTime()
      const secret = newSecret()
      await sweep(db, now)
      if (account !== null) await endOldest(db, account.id)
      await db
        .insertInto('sign_in_tickets')
        .values({
          secret_hash: hashOf(secret),
          kind,
          user_id: account?.id ?? null,
          auth_epoch: account?.authEpoch ?? 0,
          detail,
          carried,
          challenge: challenge?.challenge ?? '',
          origin: challenge?.origin ?? '',
          challenge_until: now + CHALLENGE_MS,
          tries: 0,
          expires_at: now + (kind === 'second' ? SECOND_MS : CHALLENGE_MS),
        })
        .execute()
      return secret
    },

    /** One that can still be used; null otherwise. */
    async find(kind: Kind, secret: string): Promise<Ticket | null> {
      const row = await db
        .selectFrom('sign_in_tickets')
        .selectAll()
        .where('secret_hash', '=', hashOf(secret))
        .where('kind', '=', kind)
        .where('expires_at', '>', clock().getTime())
        .where('tries', '<', MAX_TRIES)
        .executeTakeFirst()
      return row ?? null
    },

    /** Counts an attempt, before it is checked: parallel guesses cannot be more than allowed. @returns false if there were too many */
    async countTry({ secret_hash }: Ticket): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('sign_in_tickets')
        .set((is) => ({ tries: is('tries', '+', 1) }))
        .where('secret_hash', '=', secret_hash)
        .where('tries', '<', MAX_TRIES)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async setChallenge({ secret_hash }: Ticket, { challenge, origin }: Challenge): Promise<void> {
      const challenge_until = clock().getTime() + CHALLENGE_MS
      await db.updateTable('sign_in_tickets').set({ challenge, origin, challenge_until }).where('secret_hash', '=', secret_hash).execute()
    },

    /** The challenge of a ticket, once: it is gone with this call, whatever the answer to it is worth. */
    async takeChallenge({ secret_hash, challenge, origin, challenge_until }: Ticket): Promise<Challenge | null> {
      if (challenge === '') return null
      const { numUpdatedRows } = await db
        .updateTable('sign_in_tickets')
        .set({ challenge: '' })
        .where('secret_hash', '=', secret_hash)
        .where('challenge', '=', challenge)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n && clock().getTime() < challenge_until ? { challenge, origin } : null
    },

    /** @returns whether it was there: only one of several calls gets true */
    async useUp({ secret_hash }: Ticket): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('sign_in_tickets').where('secret_hash', '=', secret_hash).executeTakeFirst()
      return numDeletedRows > 0n
    },

    sweep: (): Promise<void> => sweep(db, clock().getTime()),
  }
}

async function sweep(db: Kysely<Schema>, now: number): Promise<void> {
  await db.deleteFrom('sign_in_tickets').where('expires_at', '<=', now).execute()
}

async function endOldest(db: Kysely<Schema>, userId: number): Promise<void> {
  const rows = await db
    .selectFrom('sign_in_tickets')
    .select('secret_hash')
    .where('user_id', '=', userId)
    .orderBy('expires_at', 'desc')
    .offset(MAX_OF_ACCOUNT - 1)
    .limit(MAX_OF_ACCOUNT)
    .execute()
  if (rows.length === 0) return
  await db
    .deleteFrom('sign_in_tickets')
    .where(
      'secret_hash',
      'in',
      rows.map(({ secret_hash }) => secret_hash),
    )
    .execute()
}
