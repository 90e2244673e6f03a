import type { SecondProof, SecondWay } from '../../shared/contract/second-proof.ts'
import { secondSteps } from '../../shared/contract/second-steps.ts'
import { isAppError } from '../../shared/errors.ts'
import { clientFor } from './client.ts'
import { askPasskey, canFillInPasskeys, PasskeyDismissed } from './passkeys.ts'
import { enter, FROM_WEB } from './session.ts'

const client = clientFor({ secondSteps })

/** The server forgets a challenge after two minutes. */
const NEW_CHALLENGE_MS = 110_000

/** A sign-in that needs a second factor. */
export interface HalfDone {
  readonly ticket: string
  readonly ways: readonly SecondWay[]
  readonly remember: boolean
}

/** What the server wants besides the password; null for any other error. */
export function halfDoneFrom(error: unknown, { remember }: { remember: boolean }): HalfDone | null {
  return isAppError(error, 'second-factor-needed') ? { ...error.detail, remember } : null
}

/** Where another way of signing in has led to the sign-in page: `/login#second=TICKET&ways=totp,recovery`. */
export function halfDoneInAddress({ hash }: { hash: string }): HalfDone | null {
  const given = new URLSearchParams(hash.slice(1))
  const ticket = given.get('second')
  if (ticket === null) return null
  const known: readonly SecondWay[] = ['totp', 'passkey', 'recovery']
  const ways = given.get('ways')?.split(',') ?? []
  return { ticket, ways: known.filter((way) => ways.includes(way)), remember: true }
}

/** Fails with `wrong-code`, `too-many-requests`, and `sign-in-needed` if the first step is too long ago. */
export async function completeSignIn({ ticket, remember }: HalfDone, proof: SecondProof & { trust: boolean }): Promise<void> {
  const response = await client.secondSteps.second({ headers: FROM_WEB, body: { ticket, remember, ...proof } })
  enter(await response.text(), { remember })
}

/** With a passkey as second factor. Throws `PasskeyDismissed`. */
export async function completeWithPasskey(half: HalfDone, { trust }: { trust: boolean }): Promise<void> {
  const { options } = await client.secondSteps.secondChallenge({ body: { ticket: half.ticket } })
  await completeSignIn(half, { passkey: await askPasskey(options), trust })
}

/** With a passkey alone. Throws `PasskeyDismissed`; fails with `wrong-credentials`. */
export async function signInWithPasskey({
  remember,
  ...how
}: {
  remember: boolean
  signal?: AbortSignal
  fillIn?: boolean
}): Promise<void> {
  const { ticket, options } = await client.secondSteps.passkeyChallenge({})
  const passkey = await askPasskey(options, how)
  const response = await client.secondSteps.passkey({ headers: FROM_WEB, body: { ticket, passkey, remember } })
  enter(await response.text(), { remember })
}

/**
 * Offers passkeys among the names that the browser fills in, for as long as the page is shown.
 * @param onFailure an answer that the server did not accept
 */
export async function offerPasskeys(signal: AbortSignal, { onFailure }: { onFailure: (error: unknown) => void }): Promise<void> {
  if (!(await canFillInPasskeys())) return
  while (!signal.aborted) {
    try {
      await signInWithPasskey({ remember: true, fillIn: true, signal: AbortSignal.any([signal, AbortSignal.timeout(NEW_CHALLENGE_MS)]) })
      return
    } catch (error) {
      if (!(error instanceof PasskeyDismissed)) return onFailure(error)
      // Anything but the end of the challenge: the browser does not want to be asked again.
      if (!(error.cause instanceof DOMException && error.cause.name === 'TimeoutError')) return
    }
  }
}
