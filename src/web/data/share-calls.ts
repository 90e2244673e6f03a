import { type Share, shares } from '../../shared/contract/shares.ts'
import { callsTo } from './client.ts'

export const client = callsTo({ shares })

/** Every link: one's own, for administrators everybody's; permanent ones first, then by expiry. */
export function readShares(signal: AbortSignal): Promise<Share[]> {
  return client.shares.mine({}, { signal })
}
