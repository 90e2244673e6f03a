import { oidc, SignInProblem } from '../../shared/contract/providers.ts'
import { clientFor } from './client.ts'
import { pageConfig } from './page-config.ts'
import { enter, outlivesBrowser } from './session.ts'

const client = clientFor({ oidc })

/** Ends a sign-in that a provider has led back from. Fails with `wrong-credentials` if there is none in this browser. */
export async function finishSignIn(): Promise<void> {
  enter(await (await client.oidc.finish({})).text(), { remember: outlivesBrowser() })
}

/** Fails with `wrong-credentials` if the link was used or is too old. */
export async function signInOnce(secret: string): Promise<void> {
  enter(await (await client.oidc.once({ body: { secret } })).text(), { remember: outlivesBrowser() })
}

/** What the server said went wrong; null if it says nothing that is known. */
export function problemIn(query: URLSearchParams): SignInProblem | null {
  const parsed = SignInProblem.safeParse(query.get('problem'))
  return parsed.success ? parsed.data : null
}

/** The address that asks somebody at a provider to sign in there again, whom it knows too. */
export function signInAgainAt(provider: string): string {
  const asked = new URLSearchParams({ to: '/settings/profile', remember: String(outlivesBrowser()), again: 'true' })
  return `${pageConfig.BaseURL}/api/oidc/${provider}/start?${asked}`
}
