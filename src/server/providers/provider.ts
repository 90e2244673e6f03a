import * as z from 'zod/mini'
import { ProviderFields } from '../../shared/contract/providers.ts'

/** A provider with its secret, which the API never returns. */
export interface StoredProvider extends ProviderFields {
  readonly id: string
  /** Empty for a public client. */
  readonly clientSecret: string
}

/** Who keeps the memberships that follow the claims of a provider, or the groups of a directory. */
export const sourceOf = (id: string, issuer = ''): string => (issuer === directoryIssuer(id) ? `ldap ${id}` : `oidc ${id}`)

/** Of the people of a directory, in place of an OpenID issuer; those are addresses. */
export const directoryIssuer = (id: string): string => `ldap:${id}`

export const StoredConfig = z.pipe(
  z.transform((text: unknown) => JSON.parse(String(text)) as unknown),
  ProviderFields,
)

/**
 * Why an address is not asked, whether an administrator or a provider's own description names it; null if it is fine. TLS is required except on this
 * machine. Private addresses are allowed: a company's provider is often in its own network.
 */
export function addressProblem(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return 'not an address'
  if (url.username !== '' || url.password !== '') return 'it must not hold a name or password'
  if (url.protocol === 'https:') return null
  return url.protocol === 'http:' && isLoopback(url.hostname) ? null : 'it must start with https://'
}

/** What is wrong with an issuer (OpenID Connect Discovery 1.0 §3); null if nothing is. */
export function issuerProblem(issuer: string): string | null {
  const url = URL.parse(issuer)
  if (url !== null && (url.search !== '' || url.hash !== '')) return 'it must not have a query or a fragment'
  return addressProblem(issuer)
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
