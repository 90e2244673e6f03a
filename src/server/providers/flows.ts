import type { Kysely, Selectable } from 'kysely'
import type { SignInFlowsTable } from '../db/provider-tables.ts'
import type { Schema } from '../db/schema.ts'
import { hashOf, newSecret } from '../db/secret.ts'

export type Flow = Selectable<SignInFlowsTable>
export type Purpose = Flow['purpose']

/** Long enough for a password and a second factor at the provider. */
export const FLOW_MS = 10 * 60_000
/** Anybody can begin one; the oldest make room. */
const MOST_FLOWS = 10_000

export interface Beginning {
  readonly provider: string
  readonly purpose: Purpose
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
  readonly target: string
  readonly remember: boolean
  /** In seconds; see `sign_in_flows`. */
  readonly maxAge?: number | null
  readonly userId: number | null
}

export type Flows = ReturnType<typeof createFlows>

/** In the database, so that any server of several can continue. Each stage is entered once. */
export function createFlows(db: Kysely<Schema>, clock: () => Date) {
  const now = (): number => clock().getTime()

  return {
    /** @returns the state for the provider and the cookie for the browser */
    async begin(beginning: Beginning): Promise<{ state: string; cookie: string }> {
      const [state, cookie] = [newSecret(), newSecret()]
      await db
        .insertInto('sign_in_flows')
        .values({
          id: hashOf(state),
          provider: beginning.provider,
          purpose: beginning.purpose,
          cookie_hash: hashOf(cookie),
          nonce: beginning.nonce,
          verifier: beginning.verifier,
          redirect_uri: beginning.redirectUri,
          target: beginning.target,
          remember: Number(beginning.remember),
          max_age: beginning.maxAge ?? null,
          user_id: beginning.userId,
          stage: 'begun',
          outcome: '',
          expires_at: now() + FLOW_MS,
        })
        .execute()
      return { state, cookie }
    },

    /** The flow that the provider answers, in the browser that began it; null if there is none. It cannot be taken again. */
    async take(state: string, { provider, cookies }: { provider: string; cookies: readonly string[] }): Promise<Flow | null> {
      if (cookies.length === 0) return null
      const row = await db
        .updateTable('sign_in_flows')
        .set({ stage: 'used' })
        .where('id', '=', hashOf(state))
        .where('provider', '=', provider)
        .where('cookie_hash', 'in', cookies.map(hashOf))
        .where('stage', '=', 'begun')
        .where('expires_at', '>', now())
        .returningAll()
        .executeTakeFirst()
      return row ?? null
    },

    /** Keeps what was found out, for the page that finishes. */
    async prove({ id }: Flow, outcome: string): Promise<void> {
      await db.updateTable('sign_in_flows').set({ stage: 'proved', outcome }).where('id', '=', id).where('stage', '=', 'used').execute()
    },

    /** What was proved in this browser, once. */
    async finish(purpose: Purpose, cookies: readonly string[]): Promise<Flow | null> {
      if (cookies.length === 0) return null
      const row = await db
        .deleteFrom('sign_in_flows')
        .where('cookie_hash', 'in', cookies.map(hashOf))
        .where('purpose', '=', purpose)
        .where('stage', '=', 'proved')
        .where('expires_at', '>', now())
        .returningAll()
        .executeTakeFirst()
      return row ?? null
    },

    async sweep(): Promise<void> {
      await db.deleteFrom('sign_in_flows').where('expires_at', '<=', now()).execute()
    },

    /** Makes room for new ones; call it now and then. */
    async limit(): Promise<void> {
      const first = await db
        .selectFrom('sign_in_flows')
        .select('expires_at')
        .orderBy('expires_at', 'desc')
        .offset(MOST_FLOWS)
        .limit(1)
        .executeTakeFirst()
      if (first !== undefined) await db.deleteFrom('sign_in_flows').where('expires_at', '<=', first.expires_at).execute()
    },
  }
}
