import { cookiesNamed } from '../http/cookies.ts'
import { FLOW_MS } from './flows.ts'

const NAME = 'satchel-oidc'

/** Binds what somebody begins to their browser: nobody else can finish it. `Lax`, because the provider leads back from another site. */
export function flowCookie(value: string, { base, secure }: { base: string; secure: boolean }): string {
  const life = value === '' ? 0 : FLOW_MS / 1000
  return `${NAME}=${value}; Path=${base === '' ? '/' : base}; Max-Age=${life}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

export function flowCookiesIn(request: Request): string[] {
  return cookiesNamed(NAME, request)
}
