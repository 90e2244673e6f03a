import { users } from '../../shared/contract/users.ts'
import { clientFor } from './client.ts'
import { withReauthentication } from './reauthenticate.ts'
import { useSession } from './session.ts'

const client = clientFor({ users })

/**
 * Gives the person signed in a new password; every other sign-in of theirs ends. Fails with `invalid-input` when the policy refuses it.
 * @returns whether it was changed: not, when the proof was not given
 */
export async function changeOwnPassword(password: string): Promise<boolean> {
  const { user } = useSession.getState()
  if (user === null) return false
  const { id } = user
  const change = { what: 'user', which: ['password'], data: { id, password } }
  const response = await withReauthentication((proof) => client.users.update({ params: { id: String(id) }, body: { ...change, ...proof } }))
  return response !== null
}
