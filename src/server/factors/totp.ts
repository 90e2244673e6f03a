import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** RFC 6238 with the values that every authenticator app knows: SHA-1, six digits, thirty seconds. */
const STEP_MS = 30_000
const DIGITS = 6
/** Steps that a clock may be wrong, in each direction (RFC 6238 section 5.2). */
const DRIFT = 1
/** RFC 4226 section 4 recommends 160 bits. */
const SECRET_BYTES = 20

/** RFC 4648 section 6. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** @returns a key of 160 random bits in base32, without padding */
export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES))
}

/** What a QR code tells an authenticator app (`otpauth://`, the Key Uri Format). */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

/**
 * The time step that a code is of, with a drift of one step; null if it is of none. A code counts once: a caller that accepts it keeps its step, and accepts
 * none that is not later.
 * @param now milliseconds since 1970
 */
export function stepOf(code: string, secret: string, now: number): number | null {
  const typed = Buffer.from(code.replace(/[\s-]/g, ''))
  if (typed.length !== DIGITS) return null
  const key = fromBase32(secret)
  const current = Math.floor(now / STEP_MS)
  const steps = Array.from({ length: 2 * DRIFT + 1 }, (_, at) => current - DRIFT + at)
  // All are compared, so that the time tells nothing.
  const matching = steps.filter((step) => timingSafeEqual(Buffer.from(codeAt(step, key)), typed))
  return matching.at(-1) ?? null
}

/** The code of a moment, for clients and tests. @param now milliseconds since 1970 */
export function totpCode(secret: string, now: number): string {
  return codeAt(Math.floor(now / STEP_MS), fromBase32(secret))
}

/** RFC 4226 section 5.3. */
function codeAt(step: number, key: Uint8Array): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.max(0, step)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const value = mac.readUInt32BE(offset) & 0x7fffffff
  return String(value % 10 ** DIGITS).padStart(DIGITS, '0')
}

function toBase32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(text: string): Uint8Array {
  let bits = ''
  for (const letter of text) bits += Math.max(0, BASE32.indexOf(letter)).toString(2).padStart(5, '0')
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}
