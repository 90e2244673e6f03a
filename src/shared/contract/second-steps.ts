import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PasskeyProof, PasskeyRequest, SecondProof } from './second-proof.ts'
import { WebHeader } from './session.ts'

/** A secret that the server made for a step of a sign-in. */
const Ticket = z.string().check(z.maxLength(256))

/** Calls of the area `session`, apart from the others: pages that sign nobody in load without them. */
export const secondSteps = {
  /**
   * Completes a sign-in that failed with `second-factor-needed`. A passkey answers the challenge of `secondChallenge`. Fails with `wrong-code`, and with
   * `sign-in-needed` if the ticket has been used, is older than five minutes, or saw too many wrong codes.
   */
  second: endpoint('anyone', 'POST /api/login/second', {
    headers: WebHeader,
    body: z.extend(SecondProof, {
      ticket: Ticket,
      remember: z._default(z.boolean(), true),
      /** Do not ask for a second factor on this device for 30 days. */
      trust: z._default(z.boolean(), false),
    }),
  }),
  secondChallenge: endpoint('anyone', 'POST /api/login/second/challenge', {
    body: z.object({ ticket: Ticket }),
    result: z.object({ options: PasskeyRequest }),
  }),
  /** For signing in with a passkey alone, within two minutes. */
  passkeyChallenge: endpoint('anyone', 'POST /api/login/passkey/challenge', {
    result: z.object({ ticket: z.string(), options: PasskeyRequest }),
  }),
  /** Fails with `wrong-credentials`. */
  passkey: endpoint('anyone', 'POST /api/login/passkey', {
    headers: WebHeader,
    body: z.object({ ticket: Ticket, passkey: PasskeyProof, remember: z._default(z.boolean(), true) }),
  }),
}
