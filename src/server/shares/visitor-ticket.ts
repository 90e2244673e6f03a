import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Share } from './store.ts'

const NONCE_BYTES = 16
const SEAL_BYTES = 16

/**
 * Distinguishes visitors of a limited link. Only the server can issue one: it ends with a seal under the key of its link, so that a made-up ticket is
 * never taken for a visitor who was counted already (A13). Nothing of it is stored.
 */
export function newVisitorTicket(share: Pick<Share, 'ticketKey'>): string {
  const nonce = randomBytes(NONCE_BYTES)
  return Buffer.concat([nonce, sealOf(share, nonce)]).toString('base64url')
}

export function isVisitorTicket({ ticketKey }: Pick<Share, 'ticketKey'>, ticket: string): boolean {
  const bytes = Buffer.from(ticket, 'base64url')
  if (ticketKey === '' || bytes.length !== NONCE_BYTES + SEAL_BYTES) return false
  return timingSafeEqual(sealOf({ ticketKey }, bytes.subarray(0, NONCE_BYTES)), bytes.subarray(NONCE_BYTES))
}

function sealOf({ ticketKey }: Pick<Share, 'ticketKey'>, nonce: Uint8Array): Buffer {
  return createHmac('sha256', ticketKey).update(nonce).digest().subarray(0, SEAL_BYTES)
}
