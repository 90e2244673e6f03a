import { type Client, createClient, type Send } from '../../shared/contract/client.ts'
import type { Api } from '../../shared/contract/endpoint.ts'
import { pageConfig } from './page-config.ts'

/** What the session adds to calls and learns from answers; `session.ts` plugs itself in here. */
export interface Wire {
  token: () => string | null
  /** The server no longer knows this token. */
  onRefused: (token: string) => void
  onRenewAsked: () => void
}

let wire: Wire = { token: () => null, onRefused: () => undefined, onRenewAsked: () => undefined }

export function plugIn(session: Wire): void {
  wire = session
}

/** The headers that say who calls; for XMLHttpRequest and other ways than this client. */
export function authHeaders(): Record<string, string> {
  const token = wire.token()
  return token === null ? {} : { 'x-auth': token }
}

/** Tells the session what an answer means for it; who calls without `send` calls this. */
export function heed(status: number, renewHeader: string | null, usedToken: string | null): void {
  if (renewHeader === 'true') wire.onRenewAsked()
  if (status === 401 && usedToken !== null) wire.onRefused(usedToken)
}

/** The whole address of a call or a link made with `href`. */
export function address(path: string): string {
  return pageConfig.BaseURL + path
}

/** One request with the session's token. A 401 on a public share is about the share's password, not about us. */
export const send: Send = async (path, init) => {
  const token = wire.token()
  const headers = new Headers(init.headers)
  if (token !== null) headers.set('x-auth', token)
  const response = await fetch(address(path), { ...init, headers, credentials: 'same-origin' })
  if (!path.startsWith('/api/public/') && !path.startsWith('/api/login'))
    heed(response.status, response.headers.get('x-renew-token'), token)
  return response
}

/** The calls of some areas of the contract. Each part of the web names those it makes, so that a page carries no others. */
export function callsTo<A extends Api>(areas: A): Client<A> {
  return createClient(areas, send)
}
