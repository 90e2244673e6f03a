import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const Credentials = z.object({
  username: z.string(),
  password: z.string(),
  recaptcha: z.optional(z.string()),
})

/** `X-Satchel-Web: 1` binds the session to a cookie (decision 1). */
const WebHeader = z.object({ 'x-satchel-web': z.optional(z.string()) })

export const session = {
  login: endpoint({
    by: 'anyone',
    needs: [],
    method: 'POST',
    path: '/api/login',
    headers: WebHeader,
    body: Credentials,
    maxBodyBytes: 64 * 1024,
    result: 'response',
  }),
  renew: endpoint({ by: 'user', needs: [], method: 'POST', path: '/api/renew', headers: WebHeader, result: 'response' }),
  logout: endpoint({ by: 'user', needs: [], method: 'POST', path: '/api/logout', result: 'response' }),
  /** Ends every session of the caller, this one included. */
  everywhere: endpoint({ by: 'user', needs: [], method: 'DELETE', path: '/api/sessions', result: 'response' }),
}
