import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { base64url, Descriptor, PasskeyRequest, SecondProof, short } from './second-proof.ts'

/** What `navigator.credentials.create` returns, as JSON. */
export const NewPasskey = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.optional(z.array(short).check(z.maxLength(16))),
  }),
})
export type NewPasskey = z.infer<typeof NewPasskey>

export const PasskeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.enum(['required', 'preferred', 'discouraged']),
    userVerification: z.enum(['required', 'preferred', 'discouraged']),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreation = z.infer<typeof PasskeyCreation>

/** Times are milliseconds since 1970. */
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** The name of the server that it was made for; it works nowhere else. */
  site: z.string(),
  created: z.number(),
  lastUsed: z.nullable(z.number()),
})
export type Passkey = z.infer<typeof Passkey>

export const TrustedDevice = z.object({
  id: z.string(),
  created: z.number(),
  expires: z.number(),
  address: z.string(),
  userAgent: z.string(),
})
export type TrustedDevice = z.infer<typeof TrustedDevice>

/** The second factors of an account. */
export const Factors = z.object({
  /** Whether the administrator requires one of this account. */
  required: z.boolean(),
  /** Null without an authenticator app. */
  totp: z.nullable(z.object({ created: z.number(), lastUsed: z.nullable(z.number()) })),
  passkeys: z.array(Passkey),
  /** How many recovery codes are left. */
  recoveryCodes: z.number(),
  devices: z.array(TrustedDevice),
})
export type Factors = z.infer<typeof Factors>

/** New recovery codes, shown once; absent where the account had some. */
const Added = z.object({ recoveryCodes: z.optional(z.array(z.string())) })

/** Beside whatever else is held back, so that people can set up the factor that is required of them. */
const EARLY = { beforeSecondFactor: true } as const

export const factors = {
  list: endpoint('user', 'GET /api/factors', { ...EARLY, result: Factors }),
  /** A new key for an authenticator app, which counts after `confirmTotp`. */
  startTotp: endpoint('user', 'POST /api/factors/totp', { ...EARLY, result: z.object({ secret: z.string(), uri: z.string() }) }),
  /** Fails with `wrong-code`. */
  confirmTotp: endpoint('user', 'POST /api/factors/totp/confirm', { ...EARLY, body: z.object({ code: short }), result: Added }),
  removeTotp: endpoint('user', 'DELETE /api/factors/totp'),
  /** Ten new codes; the old ones end. */
  renewCodes: endpoint('user', 'POST /api/factors/recovery', { result: z.object({ recoveryCodes: z.array(z.string()) }) }),
  challenge: endpoint('user', 'POST /api/factors/passkeys/challenge', {
    ...EARLY,
    result: z.object({ ticket: z.string(), options: PasskeyCreation }),
  }),
  addPasskey: endpoint('user', 'POST /api/factors/passkeys', {
    ...EARLY,
    body: z.object({ ticket: short, name: short, passkey: NewPasskey }),
    result: Added,
  }),
  renamePasskey: endpoint('user', 'PUT /api/factors/passkeys/:id', { body: z.object({ name: short }) }),
  removePasskey: endpoint('user', 'DELETE /api/factors/passkeys/:id'),
  forgetDevice: endpoint('user', 'DELETE /api/factors/devices/:id'),
  /** For `prove` with a passkey. */
  proofChallenge: endpoint('user', 'POST /api/proof/challenge', { result: z.object({ ticket: z.string(), options: PasskeyRequest }) }),
  /**
   * Proves again who the caller is: with a passkey, or with the password and, where the account has a second factor, a code. It counts for five minutes,
   * for this sign-in. Fails with `proof-needed`, whatever was wrong.
   */
  prove: endpoint('user', 'POST /api/proof', {
    body: z
      .extend(SecondProof, { password: z.optional(z.string()), ticket: z.optional(short) })
      .check(z.refine((proof) => Object.keys(proof).length > 0, 'nothing proves anything')),
  }),
  /** All second factors of somebody who has lost them. */
  removeAll: endpoint('admin', 'DELETE /api/users/:id/factors'),
}
