import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Share } from './store.ts'

const NONCE_BYTES = 16
const SEAL_BYTES = 16

/**
 * What tells one visitor of a limited link from another. Only the server makes one: it ends in a seal under the key of its link, so that nobody who
 * makes one up is taken for somebody who was counted already (A13). Nothing of it is stored.
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
