import * as z from 'zod/mini'

/** How somebody can prove a second time who they are. */
export const SecondWay = z.enum(['totp', 'passkey', 'recovery'])
export type SecondWay = z.infer<typeof SecondWay>

export const base64url = z.string().check(z.regex(/^[A-Za-z0-9_-]*$/), z.maxLength(64 * 1024))
export const short = z.string().check(z.maxLength(256))

/** What `navigator.credentials.get` returns, as JSON (Web Authentication Level 3, section 5.1.9). */
export const PasskeyProof = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.optional(base64url),
  }),
})
export type PasskeyProof = z.infer<typeof PasskeyProof>

export const Descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.optional(z.array(z.string())) })

/** What the browser is asked for, as JSON; binary fields are base64url. */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** Milliseconds. */
  timeout: z.number(),
  userVerification: z.enum(['required', 'preferred', 'discouraged']),
  allowCredentials: z.array(Descriptor),
})
export type PasskeyRequest = z.infer<typeof PasskeyRequest>

/** One of these proves it. `ticket` is that of the challenge that `passkey` answers. */
export const SecondProof = z.object({
  /** Six digits of an authenticator app. */
  code: z.optional(short),
  recovery: z.optional(short),
  passkey: z.optional(PasskeyProof),
})
export type SecondProof = z.infer<typeof SecondProof>
