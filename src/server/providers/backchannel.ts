import { createLocalJWKSet, createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import * as z from 'zod/mini'
import { createLru } from '../../shared/lru.ts'
import { limitedFetch, TIMEOUT_MS } from './limited-fetch.ts'
import type { StoredProvider } from './provider.ts'
import type { ProviderSessions } from './provider-sessions.ts'
import type { RelyingParty } from './relying-party.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Keys that only the provider has; a shared secret or none at all signs nothing. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** How old a token may be. */
const MAX_AGE_SECONDS = 5 * 60
const SKEW_SECONDS = 60
const MOST_PROVIDERS = 100

const text = z.string().check(z.minLength(1), z.maxLength(1000))
const LogoutClaims = z.object({
  iss: text,
  iat: z.number(),
  jti: text,
  sub: z.optional(text),
  sid: z.optional(text),
  events: z.looseObject({ [EVENT]: z.record(z.string(), z.unknown()) }),
  nonce: z.optional(z.undefined()),
})

export type Backchannel = ReturnType<typeof createBackchannel>

/** OpenID Connect Back-Channel Logout 1.0. */
export function createBackchannel(options: { relyingParty: RelyingParty; sessions: ProviderSessions; clock: () => Date }) {
  const { relyingParty, sessions, clock } = options
  const keys = createLru<string, JWTVerifyGetKey>(MOST_PROVIDERS)

  function keysAt(address: string): JWTVerifyGetKey {
    const known = keys.get(address)
    if (known !== undefined) return known
    const found = createRemoteJWKSet(new URL(address), {
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: (url, { headers, signal }) => limitedFetch(url, { method: 'GET', headers: Object.fromEntries(headers), signal }),
    })
    keys.set(address, found)
    return found
  }

  /** Ends what the token names. Fails with an error whose message says what is wrong with it. @returns the users whose sign-ins ended */
  return async (provider: StoredProvider, token: string): Promise<number[]> => {
    const { issuer, jwks_uri: keysAddress } = (await relyingParty.configurationOf(provider)).serverMetadata()
    const payload = await verified(token, keysAddress === undefined ? createLocalJWKSet({ keys: [] }) : keysAt(keysAddress), {
      issuer,
      audience: provider.clientId,
      now: clock(),
    })
    const { iat, jti, sub = null, sid = null } = LogoutClaims.parse(payload)
    if (sub === null && sid === null) throw new Error('it names neither sub nor sid')
    // Until it is too old to be accepted in any case.
    const untilMs = (iat + MAX_AGE_SECONDS + 2 * SKEW_SECONDS) * 1000
    if (!(await sessions.spend(`${provider.id}\n${jti}`, { untilMs }))) throw new Error('it was used before')
    return (await sessions.end({ issuer, subject: sub, sid })).users
  }
}

async function verified(
  token: string,
  key: JWTVerifyGetKey,
  { issuer, audience, now }: { issuer: string; audience: string; now: Date },
): Promise<JWTPayload> {
  const { payload, protectedHeader } = await jwtVerify(token, key, {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: SKEW_SECONDS,
    currentDate: now,
    requiredClaims: ['iat', 'jti', 'events'],
  })
  const { typ } = protectedHeader
  if (typ !== undefined && !/^(?:application\/)?(?:logout\+)?jwt$/i.test(typ)) throw new Error(`it is a ${typ}`)
  return payload
}
