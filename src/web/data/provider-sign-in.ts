import { oidc, SignInProblem } from '../../shared/contract/providers.ts'
import { isAppError } from '../../shared/errors.ts'
import { clientFor } from './client.ts'
import { pageConfig } from './page-config.ts'
import { enter, outlivesBrowser, resumeSession, useSession } from './session.ts'

const client = clientFor({ oidc })

/**
 * Ends a sign-in that a provider has led back from. If there is none in this browser, goes on with the session that was there before; without one, fails
 * with `wrong-credentials`.
 */
export async function finishSignIn(): Promise<void> {
  try {
    enter(await (await client.oidc.finish({})).text(), { remember: outlivesBrowser() })
  } catch (error) {
    if (isAppError(error, 'wrong-credentials')) await resumeSession()
    if (useSession.getState().user === null) throw error
  }
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
