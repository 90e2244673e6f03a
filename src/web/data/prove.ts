import { factors } from '../../shared/contract/factors.ts'
import { clientFor } from './client.ts'
import { askPasskey } from './passkeys.ts'
import type { ProofGiven } from './reauthenticate.ts'

const client = clientFor({ factors })

/** Proves who sits here; it counts for five minutes. Fails with `proof-needed`. */
export async function prove(given: ProofGiven): Promise<void> {
  if ('password' in given) {
    await client.factors.prove({ body: { password: given.password, ...given.second } })
    return
  }
  const { ticket, options } = await client.factors.proofChallenge({})
  await client.factors.prove({ body: { ticket, passkey: await askPasskey(options) } })
}
