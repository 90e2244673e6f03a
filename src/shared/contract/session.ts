import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const Credentials = z.object({
  username: z.string(),
  password: z.string(),
  recaptcha: z.optional(z.string()),
  /** Whether the sign-in outlives the browser; only a session of our own web application can end with it. */
  remember: z._default(z.boolean(), true),
})

/** The input of a visitor who signs up. */
export const SignupRequest = z.object({
  username: z.string(),
  password: z.string(),
  recaptcha: z.optional(z.string()),
})

/** `X-Satchel-Web: 1` binds the session to a cookie. */
const WebHeader = z.object({ 'x-satchel-web': z.optional(z.string()) })

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
  login: endpoint({
    by: 'anyone',
    needs: [],
    method: 'POST',
    path: '/api/login',
    alsoMethods: ['PUT'],
    headers: WebHeader,
    body: Credentials,
    maxBodyBytes: 64 * 1024,
    result: 'response',
  }),
  /** 200, and nothing more: the client signs in afterwards. 405 if the settings do not allow it. */
  signup: endpoint({
    by: 'anyone',
    needs: [],
    method: 'POST',
    path: '/api/signup',
    body: SignupRequest,
    maxBodyBytes: 64 * 1024,
    result: 'response',
  }),
  renew: endpoint({
    by: 'user',
    needs: [],
    method: 'POST',
    alsoMethods: ['GET'],
    path: '/api/renew',
    beforeOwnPassword: true,
    headers: WebHeader,
    result: 'response',
  }),
  logout: endpoint({ by: 'user', needs: [], method: 'POST', path: '/api/logout', beforeOwnPassword: true, result: 'response' }),
  /** The caller's own devices, the most recently used first. */
  list: endpoint({ by: 'user', needs: [], method: 'GET', path: '/api/sessions', result: z.array(Device) }),
  /** Ends one of the caller's own devices. */
  end: endpoint({ by: 'user', needs: [], method: 'DELETE', path: '/api/sessions/:id', result: 'response' }),
  /** Ends every session of the caller, including this one. */
  everywhere: endpoint({ by: 'user', needs: [], method: 'DELETE', path: '/api/sessions', result: 'response' }),
}
