import { fail } from '../../shared/errors.ts'
import { hashOf, newSecret } from '../db/secret.ts'
import type { SharesDeps } from './shares.ts'
import type { Share } from './store.ts'

export interface SharePasswordDeps extends Pick<SharesDeps, 'store' | 'passwords' | 'clock'> {
  /** Counts a guess before anything is hashed; fails with `too-many-requests`. */
  readonly attempt: (guess: { address: string | null; account: string }) => { succeeded(): void }
}

interface Presented {
  /** In clear; null if none was given. */
  readonly password: string | null
  readonly address: string | null
  readonly tickets: readonly string[]
}

/** Fails with `share-password-needed` without the right password or a valid ticket. @returns a ticket for the next request */
export async function checkSharePassword(
  deps: SharePasswordDeps,
  share: Share,
  { password, address, tickets }: Presented,
): Promise<string> {
  const { store, passwords, attempt } = deps
  const now = deps.clock()
  for (const ticket of tickets) if (await store.useTicket(hashOf(ticket), share, now)) return ticket
  if (password === null) return fail('share-password-needed', {})
  const guess = attempt({ address, account: `share ${share.hash}` })
  const turn = { lane: 'links', subject: `share ${share.hash}`, address } as const
  // Passwords set here have no spaces around them, so they may be pasted with some; those of moved links may have them.
  const isRight = async (text: string): Promise<boolean> => (await passwords.verify(text, share.passwordHash, { turn })) !== 'wrong'
  const isProven = (await isRight(password)) || (password !== password.trim() && (await isRight(password.trim())))
  if (!isProven) return fail('share-password-needed', {})
  guess.succeeded()
  const ticket = newSecret()
  await store.grant(hashOf(ticket), share, now)
  return ticket
}
