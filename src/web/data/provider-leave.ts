import { oidc } from '../../shared/contract/providers.ts'
import { clientFor } from './client.ts'

const client = clientFor({ oidc })

/** Where the provider's own session can be ended; null if there is none. */
export async function addressToLeave(): Promise<string | null> {
  return (await client.oidc.leave({})).url
}
