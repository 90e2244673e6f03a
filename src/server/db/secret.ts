import { randomBytes } from 'node:crypto'

/** A secret of 256 random bits for the client; only `hashOf` it is stored. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Stored and looked up: a stolen database contains nothing that signs anybody in. */
export function hashOf(secret: string): string {
  return Bun.SHA256.hash(secret, 'hex')
}
