import { fail } from '../../shared/errors.ts'
import type { Viewer } from '../access/viewer.ts'
import type { PresentedToken } from '../http/presented-token.ts'
import { credentialsIn } from './credentials.ts'
import type { createPasswordIdentities } from './password-identities.ts'

export interface SignedIn {
  readonly viewer: Viewer
  /** Who it is now, for work that takes long; null if the credentials do not count any more. */
  readonly now: () => Promise<Viewer | null>
}

export interface SignInDeps {
  readonly identifyToken: (
    token: PresentedToken,
    how: { address: string | null; passive?: boolean },
  ) => Viewer | null | Promise<Viewer | null>
  /** Counts a wrong token and fails with `invalid-token` or `too-many-requests`. */
  readonly refuseToken: (token: PresentedToken, address: string | null) => Promise<never>
  readonly passwords: ReturnType<typeof createPasswordIdentities>
}

/** Whose request it is. Fails with `sign-in-needed` if it presents nothing. */
export function createDavSignIn({ identifyToken, refuseToken, passwords }: SignInDeps) {
  return async (request: Request, address: string | null): Promise<SignedIn> => {
    const presented = credentialsIn(request)
    if (presented === null) return fail('sign-in-needed', {})
    if (presented.kind === 'password') return passwords.identify({ ...presented, address })
    const viewer = (await identifyToken(presented, { address })) ?? (await refuseToken(presented, address))
    return { viewer, now: async () => identifyToken(presented, { address, passive: true }) }
  }
}
