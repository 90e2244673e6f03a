import { oidc, SignInProblem } from '../../shared/contract/providers.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { address, clientFor } from './client.ts'
import { acceptToken } from './session.ts'

const client = clientFor({ oidc })

/** Ends a sign-in that a provider has led back from. Fails with `wrong-credentials` if there is none in this browser. */
export async function finishSignIn(): Promise<void> {
  acceptToken(await (await client.oidc.finish({})).text())
}

/** Fails with `wrong-credentials` if the link was used or is too old. */
export async function signInOnce(secret: string): Promise<void> {
  acceptToken(await (await client.oidc.once({ body: { secret } })).text())
}

/** Where the provider's own session can be ended; null if there is none. */
export async function addressToLeave(): Promise<string | null> {
  return (await client.oidc.leave({})).url
}

/** What the server said went wrong; null if it says nothing that is known. */
export function problemIn(query: URLSearchParams): SignInProblem | null {
  const parsed = SignInProblem.safeParse(query.get('problem'))
  return parsed.success ? parsed.data : null
}

/** The address that leads to a provider. */
export function startAddress(id: string, { to, remember }: { to: string; remember: boolean }): string {
  return address(href(oidc.start, { params: { id }, query: { to, remember: String(remember) } }))
}
