import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PasskeyProof, PasskeyRequest, SecondProof } from './second-proof.ts'
import { flag } from './operation.ts'

export const Credentials = z.object({
  username: z.string(),
  password: z.string(),
  recaptcha: z.optional(z.string()),
  /** Whether the sign-in outlives the browser; only a session of our own web application can end with it. */
  remember: z._default(z.boolean(), true),
})

export const SignupRequest = z.object({
  username: z.string(),
  password: z.string(),
  recaptcha: z.optional(z.string()),
})

/** `X-Satchel-Web: 1` binds the session to a cookie. */
const WebHeader = z.object({ 'x-satchel-web': z.optional(z.string()) })

/** A secret that the server made for a step of a sign-in. */
const Ticket = z.string().check(z.maxLength(256))

/** One sign-in: a browser, an app, a script. Times are milliseconds since 1970. */
export const Device = z.object({
  id: z.string(),
  current: z.boolean(),
  created: z.number(),
  lastSeen: z.number(),
  address: z.string(),
  userAgent: z.string(),
})
export type Device = z.infer<typeof Device>

export const session = {
  login: endpoint('anyone', 'POST /api/login', { alsoMethods: ['PUT'], headers: WebHeader, body: Credentials, maxBodyBytes: 64 * 1024 }),
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
  /** 200, and nothing more: the client signs in afterwards. 405 if the settings do not allow it. */
  signup: endpoint('anyone', 'POST /api/signup', { body: SignupRequest, maxBodyBytes: 64 * 1024 }),
  renew: endpoint('user', 'POST /api/renew', {
    alsoMethods: ['GET'],
    beforeOwnPassword: true,
    beforeSecondFactor: true,
    headers: WebHeader,
  }),
  logout: endpoint('user', 'POST /api/logout', { beforeOwnPassword: true, beforeSecondFactor: true }),
  /** The caller's own devices, the most recently used first. */
  list: endpoint('user', 'GET /api/sessions', { result: z.array(Device) }),
  end: endpoint('user', 'DELETE /api/sessions/:id'),
  /** Ends every session of the caller, including this one; with `tokens`, also their API tokens. */
  everywhere: endpoint('user', 'DELETE /api/sessions', { query: z.object({ tokens: flag }) }),
}
