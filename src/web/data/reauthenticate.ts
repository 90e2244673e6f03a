import { factors } from '../../shared/contract/factors.ts'
import { oidc } from '../../shared/contract/providers.ts'
import type { SecondProof } from '../../shared/contract/second-proof.ts'
import { isAppError } from '../../shared/errors.ts'
import { clientFor } from './client.ts'
import { pageConfig } from './page-config.ts'
import { askPasskey } from './passkeys.ts'
import { ask } from './prompts.ts'
import { useSession } from './session.ts'

const client = clientFor({ factors, oidc })

/** Field of sensitive calls: the caller's own password. */
export interface ReauthenticationFields {
  current_password?: string
}

/** An account without a password here: the providers through which it can sign in again. */
export interface SignsInElsewhere {
  readonly providers: readonly { readonly id: string; readonly name: string }[]
}

/** What the user typed, or a passkey instead; nothing if they have signed in again meanwhile. */
export type ProofGiven = { readonly password?: string; readonly second?: SecondProof } | { readonly passkey: true }

declare module './prompts.ts' {
  interface PromptKinds {
    /**
     * Asks for the current password, and with `second` for a second factor as well, and calls `attempt` with them; answered when it succeeds. Errors of
     * `attempt` keep the dialog open.
     */
    reauthenticate: {
      props: { attempt: (given: ProofGiven) => Promise<void>; second: boolean; elsewhere: SignsInElsewhere | null }
      answer: true
    }
  }
}

/**
 * Runs an operation that may need reauthentication: first without a password and, if the server requires one, again with the current password, or after
 * a proof with the second factor. The dialog handles a wrong password; other errors are thrown.
 * @returns null if the dialog was dismissed and nothing was done
 */
export function withReauthentication<T>(operation: (proof: ReauthenticationFields) => Promise<T>): Promise<T | null> {
  return again(operation, async (given) => {
    if (!needsSecond() && 'password' in given) return { current_password: given.password ?? '' }
    await prove(given)
    return {}
  })
}

/** The same for operations that take no password: the proof is a call of its own, and counts for five minutes. */
export function withProof<T>(operation: () => Promise<T>): Promise<T | null> {
  return again(operation, async (given) => {
    await prove(given)
    return {}
  })
}

async function again<T>(
  operation: (proof: ReauthenticationFields) => Promise<T>,
  proofFrom: (given: ProofGiven) => Promise<ReauthenticationFields>,
): Promise<T | null> {
  try {
    return await operation({})
  } catch (error) {
    if (!isAppError(error, 'proof-needed')) throw error
  }
  let last: Promise<T> | null = null
  const attempt = async (given: ProofGiven) => {
    last = proofFrom(given).then(operation)
    await last.catch((error: unknown) => {
      if (canRetry(error)) throw error
    })
  }
  // May be opened from within another dialog.
  const answered = await ask('reauthenticate', { attempt, second: needsSecond(), elsewhere: await elsewhere() }, { onTop: true })
  return finish(last, answered !== null)
}

/** Null if the account has a password here, or if that cannot be found out. */
async function elsewhere(): Promise<SignsInElsewhere | null> {
  if (pageConfig.Providers.length === 0) return null
  try {
    const { password, connections } = await client.oidc.connections({})
    return password ? null : { providers: connections.filter(({ connected, kind }) => connected !== null && kind === 'oidc') }
  } catch {
    return null
  }
}

function needsSecond(): boolean {
  return useSession.getState().user?.secondFactor === true
}

/** Fails with `proof-needed`. */
async function prove(given: ProofGiven): Promise<void> {
  if (!('passkey' in given)) {
    const { password, second } = given
    if (password !== undefined || second !== undefined) await client.factors.prove({ body: { password, ...second } })
    return
  }
  const { ticket, options } = await client.factors.proofChallenge({})
  await client.factors.prove({ body: { ticket, passkey: await askPasskey(options) } })
}

/** An attempt that was pending when the dialog was dismissed still counts. */
async function finish<T>(last: Promise<T> | null, answered: boolean): Promise<T | null> {
  try {
    return await last
  } catch (error) {
    if (answered || !canRetry(error)) throw error
    return null
  }
}

/** Errors that another password or another attempt can resolve. */
function canRetry(error: unknown): boolean {
  return !isAppError(error) || isAppError(error, 'proof-needed') || isAppError(error, 'too-many-requests') || isAppError(error, 'offline')
}

/** Apps show six digits; recovery codes are longer and have letters. */
export function secondProofFrom(typed: string): SecondProof {
  return /^[\d\s]*$/.test(typed) ? { code: typed.trim() } : { recovery: typed.trim() }
}
