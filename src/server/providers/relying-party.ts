import type * as Oidc from 'openid-client'
import { createLru } from '../../shared/lru.ts'
import { limitedFetch, TIMEOUT_MS } from './limited-fetch.ts'
import { addressProblem, issuerProblem, type StoredProvider } from './provider.ts'

export type Configuration = Oidc.Configuration

/** A description is asked for again after this long; the keys have times of their own, and an unknown key asks for them at once. */
const KEPT_MS = 60 * 60_000
/** A provider that fails is not asked by every visitor. */
const FAILURE_KEPT_MS = 5000
const MOST_KEPT = 100

export type RelyingParty = ReturnType<typeof createRelyingParty>

/** What a provider says of itself (OpenID Connect Discovery 1.0), and what we are to it. */
export function createRelyingParty({ clock }: { clock: () => Date }) {
  const known = createLru<string, { configuration: Promise<Configuration>; until: number }>(MOST_KEPT)

  /** Fails with an error whose message says what is wrong. @param options.fresh asks again */
  function configurationOf(provider: StoredProvider, { fresh }: { fresh: boolean } = { fresh: false }): Promise<Configuration> {
    const key = JSON.stringify([provider.issuer, provider.clientId, provider.clientSecret])
    const now = clock().getTime()
    const before = known.get(key)
    if (!fresh && before !== undefined && now < before.until) return before.configuration
    const entry = { configuration: discover(provider), until: now + KEPT_MS }
    entry.configuration.catch(() => (entry.until = clock().getTime() + FAILURE_KEPT_MS))
    known.set(key, entry)
    return entry.configuration
  }

  return { configurationOf, library }
}

/** Loaded when the first provider is asked: most servers have none. */
function library(): Promise<typeof Oidc> {
  return import('openid-client')
}

async function discover({ issuer, clientId, clientSecret }: StoredProvider): Promise<Configuration> {
  const problem = issuerProblem(issuer)
  if (problem !== null) throw new Error(`the issuer ${issuer}: ${problem}`)
  const oidc = await library()
  // Each request is checked by `limitedFetch`, which allows plain HTTP on this machine only.
  const options = { [oidc.customFetch]: limitedFetch, timeout: TIMEOUT_MS / 1000, execute: [oidc.allowInsecureRequests] }
  const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), options)
  const server = found.serverMetadata()
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint', 'end_session_endpoint'] as const) {
    const url = server[name]
    const wrong =
      url === undefined ? (name === 'userinfo_endpoint' || name === 'end_session_endpoint' ? null : 'missing') : addressProblem(url)
    if (wrong !== null) throw new Error(`${name} ${url ?? ''}: ${wrong}`.replace(' :', ':'))
  }
  const configuration = new oidc.Configuration(server, clientId, {}, authenticationOf(oidc, server, clientSecret))
  configuration[oidc.customFetch] = limitedFetch
  configuration.timeout = TIMEOUT_MS / 1000
  oidc.allowInsecureRequests(configuration)
  // The signature of each ID token is checked, also of one that came by TLS: `alg: none` and shared keys are refused.
  oidc.enableNonRepudiationChecks(configuration)
  return configuration
}

/** As the provider accepts it; by default in the header (OpenID Connect Core 1.0 §9). */
function authenticationOf(oidc: typeof Oidc, server: Oidc.ServerMetadata, secret: string): Oidc.ClientAuth {
  if (secret === '') return oidc.None()
  const methods = server.token_endpoint_auth_methods_supported
  const isPost = methods !== undefined && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  return isPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret)
}
