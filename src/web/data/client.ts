import { type Client, createClient, type Send } from '../../shared/contract/client.ts'
import type { Api } from '../../shared/contract/endpoint.ts'
import { pageConfig } from './page-config.ts'

/** What the session adds to calls and learns from answers; `session.ts` plugs itself in here. */
export interface SessionHooks {
  token: () => string | null
  /** The server no longer knows this token. @returns whether the same person has another now, with which the call may be made once more */
  onRefused: (token: string) => Promise<boolean>
  onRenewAsked: () => void
}

let hooks: SessionHooks = { token: () => null, onRefused: async () => false, onRenewAsked: () => undefined }

export function setSessionHooks(session: SessionHooks): void {
  hooks = session
}

/** The headers that say who calls; for XMLHttpRequest and other ways than this client. */
export function authHeaders(): Record<string, string> {
  const token = hooks.token()
  return token === null ? {} : { 'x-auth': token }
}

/** Tells the session what an answer means for it; who calls without `send` calls this. */
export function onResponse(status: number, renewHeader: string | null, usedToken: string | null): void {
  if (renewHeader === 'true') hooks.onRenewAsked()
  if (status === 401 && usedToken !== null) void hooks.onRefused(usedToken)
}

/** The whole address of a call or a link made with `href`. */
export function address(path: string): string {
  return pageConfig.BaseURL + path
}

/** A 401 to these is not about the session: it is about a share's password, or about what begins, prolongs and ends a session itself. */
const SESSION_INDEPENDENT = ['/api/public/', '/api/login', '/api/renew', '/api/logout']

/** One request with the session's token. Where that has ended and the person comes back in place, the request is made once more. */
export const send: Send = async (path, init) => {
  const token = hooks.token()
  const response = await sendAs(token, path, init)
  if (SESSION_INDEPENDENT.some((one) => path.startsWith(one))) return response
  if (response.headers.get('x-renew-token') === 'true') hooks.onRenewAsked()
  if (response.status !== 401 || token === null || !(await hooks.onRefused(token))) return response
  return sendAs(hooks.token(), path, init)
}

function sendAs(token: string | null, path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  if (token !== null) headers.set('x-auth', token)
  return fetch(address(path), { ...init, headers, credentials: 'same-origin' })
}

/** The calls of some areas of the contract. Each part of the web names those it makes, so that a page carries no others. */
export function clientFor<A extends Api>(areas: A): Client<A> {
  return createClient(areas, send)
}
