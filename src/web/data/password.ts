import { users } from '../../shared/contract/users.ts'
import { callsTo } from './client.ts'
import { withProof } from './proof.ts'
import { useSession } from './session.ts'

const client = callsTo({ users })

/**
 * Gives the person signed in a new password; every other sign-in of theirs ends. Fails with `invalid-input` when the policy refuses it.
 * @returns whether it was changed: not, when the proof was not given
 */
export async function changeOwnPassword(password: string): Promise<boolean> {
  const { user } = useSession.getState()
  if (user === null) return false
  const { id } = user
  const change = { what: 'user', which: ['password'], data: { id, password } }
  const response = await withProof((proof) => client.users.update({ params: { id: String(id) }, body: { ...change, ...proof } }))
  return response !== null
}
