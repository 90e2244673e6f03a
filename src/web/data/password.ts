import { users } from '../../shared/contract/users.ts'
import { clientFor } from './client.ts'
import { withReauthentication } from './reauthenticate.ts'
import { useSession } from './session.ts'

const client = clientFor({ users })

/**
 * Changes the user's own password, which ends all other sessions. Fails with `invalid-input` if the policy rejects it.
 * @param options.replacesPrinted only if the password is still the printed one; otherwise fails with `own-password-chosen`
 * @returns false if reauthentication was cancelled
 */
export async function changeOwnPassword(password: string, { replacesPrinted = false } = {}): Promise<boolean> {
  const { user } = useSession.getState()
  if (user === null) return false
  const { id } = user
  const change = { what: 'user', which: ['password'], data: { id, password }, ...(replacesPrinted && { replaces_printed: true }) }
  const response = await withReauthentication((proof) => client.users.update({ params: { id: String(id) }, body: { ...change, ...proof } }))
  return response !== null
}
