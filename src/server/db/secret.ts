import { createHash, randomBytes } from 'node:crypto'

/** A secret of 256 random bits, as it travels; what is kept of it is `hashOf` only. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored and looked up: a stolen database holds nothing that signs anybody in. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
