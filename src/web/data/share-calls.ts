import { type Share, shares } from '../../shared/contract/shares.ts'
import { clientFor } from './client.ts'

export const client = clientFor({ shares })

/** All links of the user, or of everyone for administrators; permanent ones first, then by expiry. */
export function readShares(signal: AbortSignal): Promise<Share[]> {
  return client.shares.mine({}, { signal })
}
