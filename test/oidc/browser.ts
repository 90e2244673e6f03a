import type { ProviderFields } from '../../src/shared/contract/providers.ts'
import type { Product } from '../contract/world.ts'

/** The cookies of one browser at our server. */
export interface Browser {
  /** A navigation, or a call of our page. @returns the answer; its cookies are kept */
  go(address: string, init?: RequestInit): Promise<Response>
  readonly cookies: Map<string, string>
}

const ORIGIN = 'http://satchel.test'

export function createBrowser(product: Product): Browser {
  const cookies = new Map<string, string>()
  const origin = product.port === 0 ? ORIGIN : `http://127.0.0.1:${product.port}`
  return {
    cookies,
    async go(address, init = {}) {
      const headers = new Headers(init.headers)
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
      if (product.port === 0) headers.set('host', 'satchel.test')
      const response = await product.ask(address.replace(origin, ''), { ...init, headers, redirect: 'manual' })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    },
  }
}

/** Follows `start` to the provider. @returns the address there */
export async function beginSignIn(browser: Browser, { id = 'idp', to = '/files/' } = {}): Promise<string> {
  const response = await browser.go(`/api/oidc/${id}/start?to=${encodeURIComponent(to)}`)
  return response.headers.get('location') ?? ''
}

/** Where the callback led: path and query. */
export async function callback(browser: Browser, address: string): Promise<{ path: string; query: Record<string, string> }> {
  const response = await browser.go(address)
  const url = new URL(response.headers.get('location') ?? '', ORIGIN)
  return { path: url.pathname, query: Object.fromEntries(url.searchParams) }
}

/** The page asks for its token. */
export async function finishSignIn(browser: Browser): Promise<{ status: number; token: string; username: string | null }> {
  const response = await browser.go('/api/oidc/finish', { method: 'POST', headers: { accept: 'application/json' } })
  const token = await response.text()
  return { status: response.status, token, username: response.ok ? usernameIn(token) : null }
}

export function usernameIn(token: string): string {
  return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { user: { username: string } }).user.username
}

export const FIELDS = {
  name: 'Example',
  enabled: true,
  clientId: 'satchel',
  scopes: ['profile', 'email'],
  usernameClaim: 'preferred_username',
  allow: { claim: '', values: [] as string[] },
  admin: { claim: '', values: [] as string[] },
  groups: { claim: '', map: [] },
  secondFactor: false,
  create: true,
  endSession: true,
} satisfies Omit<ProviderFields, 'issuer'>

/** An administrator adds a provider. */
export async function addProvider(
  product: Product,
  issuer: string,
  { id = 'idp', clientSecret, ...fields }: Partial<ProviderFields> & { id?: string; clientSecret?: string } = {},
): Promise<void> {
  await product.as('root').providers.create({ body: { ...FIELDS, ...fields, id, issuer, clientSecret } })
}
