import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
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
export const WebHeader = z.object({ 'x-satchel-web': z.optional(z.string()) })

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
