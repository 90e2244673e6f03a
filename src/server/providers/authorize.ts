import type { Person } from './account-links.ts'
import { type Claims, isSet, mapsGroups, valuesOf } from './claims.ts'
import type { Beginning, Flow, Flows } from './flows.ts'
import { addressProblem, type StoredProvider } from './provider.ts'
import type { Configuration, RelyingParty } from './relying-party.ts'

/** Somebody whom a provider has identified. */
export interface Identity extends Person {
  readonly claims: Claims
  readonly sid: string
  /** When they signed in at the provider, in milliseconds since 1970; null if it does not say. */
  readonly authenticatedAt: number | null
  readonly idToken: string
}

/** The answer that the provider sent through the browser was an error, such as `access_denied`. */
export class Refused extends Error {}

export type Authorize = ReturnType<typeof createAuthorize>

/** OpenID Connect Core 1.0 §2. */
const MAX_SUBJECT_LENGTH = 255

/** The code flow with PKCE (RFC 6749 §4.1, RFC 7636), OpenID Connect Core 1.0 §3.1. */
export function createAuthorize({ relyingParty, flows }: { relyingParty: RelyingParty; flows: Flows }) {
  /** Fails with an error whose message says what is wrong with the provider. @returns where the browser goes, and its cookie */
  async function begin(
    provider: StoredProvider,
    beginning: Omit<Beginning, 'provider' | 'nonce' | 'verifier'>,
  ): Promise<{ url: string; cookie: string }> {
    const oidc = await relyingParty.library()
    const configuration = await relyingParty.configurationOf(provider)
    const [nonce, verifier] = [oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
    const { maxAge = null } = beginning
    const { state, cookie } = await flows.begin({ ...beginning, provider: provider.id, nonce, verifier })
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: beginning.redirectUri,
      scope: [...new Set(['openid', ...provider.scopes])].join(' '),
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // Core 1.0 §3.1.2.1: asks for the password again, also whom the provider knows.
      ...(maxAge !== null && { prompt: 'login', max_age: String(maxAge) }),
    })
    const problem = addressProblem(url.href)
    if (problem !== null) throw new Error(`authorization_endpoint: ${problem}`)
    return { url: url.href, cookie }
  }

  /**
   * Exchanges the code of the callback and checks all that came with it: `state` (by the flow), `iss` (RFC 9207), the verifier of PKCE, and of the ID
   * token its signature, issuer, audience, times and nonce. Throws `Refused` for an error of the provider, other errors for a wrong answer.
   * @param search the query of the callback
   * @param options.state as it came; the flow belongs to it
   */
  async function exchange(provider: StoredProvider, flow: Flow, { search, state }: { search: string; state: string }): Promise<Identity> {
    const oidc = await relyingParty.library()
    const configuration = await relyingParty.configurationOf(provider)
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, new URL(flow.redirect_uri + search), {
        expectedState: state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
        idTokenExpected: true,
        // With it `auth_time` must be there.
        ...(flow.max_age !== null && { maxAge: flow.max_age }),
      })
      const claims = tokens.claims()
      if (claims === undefined || tokens.id_token === undefined) throw new Error('there is no ID token in the answer')
      // Optional in the library's eyes: an empty subject would be the same for everybody.
      if (claims.sub === '' || claims.sub.length > MAX_SUBJECT_LENGTH) throw new Error('the subject of the ID token is empty or too long')
      const more = await userinfo(provider, configuration, { accessToken: tokens.access_token, claims })
      return {
        issuer: claims.iss,
        subject: claims.sub,
        // What was signed counts.
        claims: { ...more, ...claims },
        authenticatedAt: claims.auth_time === undefined ? null : claims.auth_time * 1000,
        sid: typeof claims['sid'] === 'string' ? claims['sid'] : '',
        idToken: tokens.id_token,
      }
    } catch (error) {
      throw error instanceof oidc.AuthorizationResponseError
        ? new Refused(`${error.error}${error.error_description === undefined ? '' : `: ${error.error_description}`}`, { cause: error })
        : error
    }
  }

  /** Many providers leave the claims of scopes out of the ID token. The subject must be the same. */
  async function userinfo(
    provider: StoredProvider,
    configuration: Configuration,
    { accessToken, claims }: { accessToken: string; claims: Claims & { sub: string } },
  ): Promise<Claims> {
    const rules = [provider.allow, provider.admin].filter(isSet).map(({ claim }) => claim)
    const wanted = [provider.usernameClaim, ...rules, ...(mapsGroups(provider) ? [provider.groups.claim] : [])]
    const isComplete = wanted.every((name) => valuesOf(claims, name).length > 0)
    if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return {}
    const oidc = await relyingParty.library()
    return oidc.fetchUserInfo(configuration, accessToken, claims.sub)
  }

  return { begin, exchange }
}

/** The message of an error and of its causes, for an administrator; contains no secret. */
export function reasonOf(error: unknown): string {
  const texts: string[] = []
  for (let at: unknown = error; at instanceof Error && texts.length < 4; at = at.cause) {
    const more = 'error' in at && typeof at.error === 'string' ? ` (${at.error})` : ''
    if (at.message !== '' && !texts.includes(at.message + more)) texts.push(at.message + more)
  }
  return texts.length === 0 ? 'unknown error' : texts.join(': ').slice(0, 500)
}
