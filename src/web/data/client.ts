import { type Client, createClient } from '../../shared/contract/client.ts'
import type { Api } from '../../shared/contract/endpoint.ts'
import type { Send } from '../../shared/contract/invoke.ts'
import { isAppError } from '../../shared/errors.ts'
import { pageConfig } from './page-config.ts'

/** What the session adds to requests and learns from responses; registered by `session.ts`. */
export interface SessionHooks {
  token: () => string | null
  /** The server rejected this token. @returns whether the same user has a new token, with which to retry the request once */
  onRefused: (token: string) => Promise<boolean>
  onRenewAsked: () => void
  /** The server serves nothing until the user has done something that is required. */
  onHeldBack: () => void
}

let hooks: SessionHooks = { token: () => null, onRefused: async () => false, onRenewAsked: () => undefined, onHeldBack: () => undefined }

export function setSessionHooks(session: SessionHooks): void {
  hooks = session
}

/** Authentication headers for requests made without this client, such as XMLHttpRequest. */
export function authHeaders(): Record<string, string> {
  const token = hooks.token()
  return token === null ? {} : { 'x-auth': token }
}

/** Updates the session from a response; call it for requests made without `send`. */
export function onResponse(status: number, renewHeader: string | null, usedToken: string | null): void {
  if (renewHeader === 'true') hooks.onRenewAsked()
  if (status === 401 && usedToken !== null) void hooks.onRefused(usedToken)
}

/** Full address of a path made with `href`. */
export function address(path: string): string {
  return pageConfig.BaseURL + path
}

/** A 401 of these endpoints does not concern the session: it is about a share's password, or about signing in, renewing and signing out. */
const SESSION_INDEPENDENT = ['/api/public/', '/api/login', '/api/renew', '/api/logout']

/** Sends a request with the session's token. After a 401, retries once if the user has signed in again. */
export const send: Send = async (path, init) => {
  const token = hooks.token()
  const response = await sendAs(token, path, init)
  if (SESSION_INDEPENDENT.some((one) => path.startsWith(one))) return response
  if (response.headers.get('x-renew-token') === 'true') hooks.onRenewAsked()
  if (response.status === 403) void tellHeldBack(response.clone())
  if (response.status !== 401 || token === null || !(await hooks.onRefused(token))) return response
  return sendAs(hooks.token(), path, init)
}

/** Something may have become required while the user was signed in. */
async function tellHeldBack(response: Response): Promise<void> {
  const text = await response.text().catch(() => '')
  if (text.includes('"second-factor-setup-needed"')) hooks.onHeldBack()
}

function sendAs(token: string | null, path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  if (token !== null) headers.set('x-auth', token)
  return fetch(address(path), { ...init, headers, credentials: 'same-origin' })
}

/** A typed client for some areas of the contract. Each module names what it uses, to keep bundles small. */
export function clientFor<A extends Api>(areas: A): Client<A> {
  return createClient(areas, send)
}

/** Waits for the deletion of something; one that is already gone counts as success. */
export async function unlessGone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!isAppError(error, 'not-found')) throw error
  }
}
