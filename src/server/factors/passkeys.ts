import type { NewPasskey, PasskeyCreation } from '../../shared/contract/factors.ts'
import type { PasskeyProof, PasskeyRequest } from '../../shared/contract/second-proof.ts'
import { fail } from '../../shared/errors.ts'
import { hashOf, newSecret } from '../db/secret.ts'
import type { Account } from '../users/account.ts'
import type { FactorRow } from './store.ts'
import { type Challenge, CHALLENGE_MS } from './tickets.ts'

/** COSE algorithms (RFC 9053): EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257] as const

/** Loaded at the first use: most starts need none of it. */
const library = () => import('@simplewebauthn/server')

/** Where a page of ours was opened: the browser says so with every POST, and vouches for it in what the passkey signs. */
export function siteOf(origin: string): string {
  return URL.parse(origin)?.hostname ?? ''
}

/** The origin of the page that sent a request. Fails with `invalid-input` if none is named: only browsers have passkeys. */
export function originOf(request: Request): string {
  const origin = request.headers.get('origin') ?? ''
  return siteOf(origin) === '' ? fail('invalid-input', { issues: ['Origin: missing'] }) : origin
}

interface Asked {
  readonly origin: string
  /** Those that may answer; none for any that the authenticator knows. */
  readonly passkeys: readonly FactorRow[]
  readonly userVerification: PasskeyRequest['userVerification']
}

/** A new challenge to sign. */
export function requestFor({ origin, passkeys, userVerification }: Asked): PasskeyRequest {
  const rpId = siteOf(origin)
  const allowCredentials = passkeys.filter(({ site }) => site === rpId).map(descriptorOf)
  return { challenge: newSecret(), rpId, timeout: CHALLENGE_MS, userVerification, allowCredentials }
}

/** What the browser needs to make a passkey that the account does not have yet. */
export function creationFor(
  account: Account,
  { origin, passkeys, name }: { origin: string; passkeys: readonly FactorRow[]; name: string },
): PasskeyCreation {
  const id = siteOf(origin)
  return {
    challenge: newSecret(),
    rp: { id, name },
    user: { id: handleOf(account), name: account.username, displayName: account.username },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: passkeys.filter(({ site }) => site === id).map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  }
}

/** What is kept of a new passkey; null if it does not answer the challenge, or was made for another origin. */
export async function verifyNew(passkey: NewPasskey, { challenge, origin }: Challenge) {
  const { verifyRegistrationResponse } = await library()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...passkey, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: siteOf(origin),
    requireUserVerification: false,
    supportedAlgorithmIDs: [...ALGORITHMS],
  }).catch(refused)
  if (!verified || registrationInfo === undefined) return null
  const { id, publicKey, counter } = registrationInfo.credential
  return {
    credential: id,
    secret: Buffer.from(publicKey).toString('base64url'),
    counter,
    site: siteOf(origin),
    transports: JSON.stringify(passkey.response.transports ?? []),
  }
}

/** The new counter, and whether the authenticator verified its user; null if the answer is wrong, or the counter went back: a copied authenticator. */
export async function verifyProof(
  row: FactorRow,
  proof: PasskeyProof,
  { challenge, origin }: Challenge,
): Promise<{ counter: number; userVerified: boolean } | null> {
  if (row.site !== siteOf(origin)) return null
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({
    response: { ...proof, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: row.site,
    credential: { id: row.credential, publicKey: Uint8Array.from(Buffer.from(row.secret, 'base64url')), counter: row.counter },
    requireUserVerification: false,
  }).catch(refused)
  if (!result.verified || !('authenticationInfo' in result)) return null
  const { newCounter: counter, userVerified } = result.authenticationInfo
  return { counter, userVerified }
}

/** What a passkey calls its account: it tells nobody who that is. */
export function handleOf({ id, createdAt }: Account): string {
  return Buffer.from(hashOf(`passkeys of ${id} since ${createdAt.getTime()}`), 'hex').toString('base64url')
}

function descriptorOf({ credential, transports }: FactorRow) {
  return { id: credential, type: 'public-key' as const, transports: JSON.parse(transports) as string[] }
}

/** The library throws for every kind of wrong answer. */
function refused(): { verified: false; registrationInfo?: never } {
  return { verified: false }
}
