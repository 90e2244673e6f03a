import { create } from 'zustand'
import { session } from '../../shared/contract/session.ts'
import { isAppError } from '../../shared/errors.ts'
import { type OwnFields, type User, users } from '../../shared/contract/users.ts'
import { clientFor, setSessionHooks } from './client.ts'
import { pageConfig } from './page-config.ts'
import { ask } from './prompts.ts'
import { userFromToken } from './token.ts'

declare module './prompts.ts' {
  interface PromptKinds {
    /** Somebody uses the password that was printed at the first start: for another one. */
    'first-password': { props: Record<never, never>; answer: true }
    /** The session has ended: the dialog signs the same person in again, and is answered once there is another token. */
    'sign-in-again': { props: { username: string }; answer: true }
  }
}

const client = clientFor({ session, users })

const STORAGE_KEY = 'jwt'
/** There while a session lasts that is to end with the browser. */
const SESSION_ONLY_KEY = 'satchel-brief'
const FROM_WEB = { 'x-satchel-web': '1' }
/** A server whose tokens live shortly asks with every answer. */
const RENEW_AT_MOST_EVERY_MS = 30_000

/** Where the operator sends people who have signed out, if not to the sign-in page. */
export const LOGOUT_URL = pageConfig.LogoutPage === '' || pageConfig.LogoutPage === '/login' ? null : pageConfig.LogoutPage

interface SessionState {
  token: string | null
  /** Null while signed out. From the token's claims at first, the full record soon after. */
  user: User | null
  /** True once `user` is the server's record. */
  complete: boolean
  /** How the last session here ended: by the person's own wish, or by the server's word, which the sign-in screen repeats. */
  ended: 'wished' | 'refused' | null
  /** Why signing in without a password failed, where there is no sign-in page. */
  automaticError: 'refused' | 'offline' | null
}

export const useSession = create<SessionState>(() => ({ token: null, user: null, complete: false, ended: null, automaticError: null }))

let renewal: Promise<void> | null = null
let renewedAt = 0

setSessionHooks({
  token: () => useSession.getState().token,
  onRefused: onTokenRefused,
  onRenewAsked: () => Date.now() - renewedAt > RENEW_AT_MOST_EVERY_MS && void renew().catch(() => undefined),
})

/** The person signed in; only for screens behind the guard. */
export function useUser(): User {
  const user = useSession((state) => state.user)
  if (user === null) throw new Error('a screen without a session asked for its user')
  return user
}

/** The token of last time, which may be worn. */
export function storedToken(): string | null {
  const stored = localStorage.getItem(STORAGE_KEY)
  return stored === '' || stored === 'null' ? null : stored
}

/** Tries the token of last time. An invalid one is a warning in the console, and signed out. */
export async function startSession(): Promise<void> {
  listenToOtherTabs()
  const stored = storedToken()
  if (pageConfig.NoAuth || !pageConfig.LoginPage) return signInAutomatically(stored ?? '')
  if (stored === null) return
  try {
    applyToken(stored)
    await renew()
  } catch (error) {
    // Without a network the token may still be good: keep it, calls will say.
    if (isAppError(error, 'offline')) return
    console.warn('The stored session is no longer valid:', error instanceof Error ? error.message : error)
    endSession({ wished: false, silently: true })
  }
}

export interface Credentials {
  username: string
  password: string
  recaptcha?: string
  /** Whether the session outlives the browser; when not said, as the one that is continued does. */
  remember?: boolean
}

/** Fails with `wrong-credentials`, `too-many-requests` or `offline`. */
export async function signIn({ remember = localStorage.getItem(SESSION_ONLY_KEY) === null, ...credentials }: Credentials): Promise<void> {
  const response = await client.session.login({ headers: FROM_WEB, body: { ...credentials, remember } })
  applyToken(await response.text())
  if (!remember) localStorage.setItem(SESSION_ONLY_KEY, '')
  void completeUser().catch(() => undefined)
}

/** Makes an account, and signs nobody in. Fails with `name-taken`, `invalid-input` for a password that is refused, `method-not-allowed`. */
export async function signUp({ username, password, recaptcha }: Credentials): Promise<void> {
  await client.session.signup({ body: { username, password, recaptcha } })
}

/** The token that is being given up: what its last calls are refused is no surprise. */
let tokenBeingRevoked: string | null = null

/** Ends the session here and on the server. Never fails: without a server, the browser at least forgets. */
export async function signOut(): Promise<void> {
  tokenBeingRevoked = useSession.getState().token
  if (tokenBeingRevoked !== null) await client.session.logout({}).catch(() => undefined)
  endSession({ wished: true })
  if (LOGOUT_URL !== null) location.assign(LOGOUT_URL)
}

/** Ends every session of this person, on all devices. Fails when the server does not hear of it, and then ends none. */
export async function signOutEverywhere(): Promise<void> {
  await client.session.everywhere({})
  endSession({ wished: true })
}

/** The sign-in screen is on show: where the next visit wanted to go matters again. */
export function acknowledgeEnd(): void {
  useSession.setState({ ended: null })
}

/** A new token for the old one; callers at the same time share one request. */
export function renew(): Promise<void> {
  renewal ??= (async () => {
    applyTokenFromOtherTab()
    renewedAt = Date.now()
    const response = await client.session.renew({ headers: FROM_WEB })
    applyToken(await response.text())
    void completeUser().catch(() => undefined)
  })().finally(() => {
    renewal = null
  })
  return renewal
}

let reauthenticating: Promise<void> | null = null

/** The server no longer knows a token. Who has another by now goes on; else the person is asked to come back, once for all calls that found it out. */
async function onTokenRefused(token: string): Promise<boolean> {
  if (token === tokenBeingRevoked) return false
  if (token === useSession.getState().token) {
    reauthenticating ??= reauthenticate(token).finally(() => (reauthenticating = null))
    await reauthenticating
  }
  const now = useSession.getState()
  // Another tab may have signed in somebody else, who never made this call.
  return now.token !== null && now.token !== token && now.user?.id === userFromToken(token)?.id
}

/** In place, where a name and a password are all it takes; else by the sign-in page. */
async function reauthenticate(token: string): Promise<void> {
  applyTokenFromOtherTab()
  const isGone = () => useSession.getState().token === token
  const username = useSession.getState().user?.username ?? ''
  if (isGone() && username !== '' && hasPasswordLogin()) await ask('sign-in-again', { username }, { onTop: true })
  if (isGone()) endSession({ wished: false })
}

function hasPasswordLogin(): boolean {
  return pageConfig.LoginPage && !pageConfig.NoAuth && !pageConfig.ReCaptcha
}

/** Changes of one's own record leave one after the other, so that the last choice is the last on the server too. */
let saving: Promise<unknown> = Promise.resolve()
let changes = 0
/** The record as far as the server has confirmed it, while there are changes that it has not answered. */
let confirmed: User | null = null
let unanswered: readonly OwnFields[] = []

/** Saves fields of one's own record. The interface follows at once; of what the server refuses, these fields go back, and nothing else. */
export async function saveProfile(fields: OwnFields): Promise<void> {
  const { user } = useSession.getState()
  if (user === null) return
  if (unanswered.length === 0 || confirmed?.id !== user.id) {
    confirmed = user
    unanswered = []
  }
  unanswered = [...unanswered, fields]
  useSession.setState({ user: { ...user, ...fields } })
  changes += 1
  const body = { what: 'user', which: Object.keys(fields), data: { id: user.id, ...fields } }
  const attempt = saving.then(() => client.users.update({ params: { id: String(user.id) }, body }))
  saving = attempt.catch(() => undefined)
  try {
    await attempt
    if (confirmed?.id === user.id) confirmed = { ...confirmed, ...fields }
  } catch (error) {
    rollback(user, fields)
    throw error
  } finally {
    unanswered = unanswered.filter((one) => one !== fields)
  }
}

/** Where the person is still signed in: the fields are what the server has, or what was chosen after them. */
function rollback({ id }: User, fields: OwnFields): void {
  const { user } = useSession.getState()
  if (user?.id !== id || confirmed?.id !== id) return
  const last = confirmed
  const before = Object.fromEntries(Object.keys(fields).map((name) => [name, last[name as keyof OwnFields]]))
  const later = unanswered.slice(unanswered.indexOf(fields) + 1)
  useSession.setState({ user: Object.assign({ ...user }, before, ...later) })
}

/**
 * Without a sign-in page the server knows by itself who this is (noauth, proxy). Never fails: `entry` says why nobody is signed in.
 * @param stored the token of last time, good enough while there is no network
 */
export async function signInAutomatically(stored = ''): Promise<void> {
  try {
    await signIn({ username: '', password: '' })
  } catch (error) {
    const offline = isAppError(error, 'offline')
    if (offline && userFromToken(stored) !== null) return applyToken(stored)
    console.warn('Signing in without a password failed:', error instanceof Error ? error.message : error)
    useSession.setState({ automaticError: offline ? 'offline' : 'refused' })
  }
}

function applyToken(token: string): void {
  const claimed = userFromToken(token)
  if (claimed === null) throw new Error('token malformed')
  localStorage.setItem(STORAGE_KEY, token)
  useSession.setState((state) => ({
    token,
    ended: null,
    automaticError: null,
    // A renewal keeps the full record until the fresh one is here.
    user: state.user?.id === claimed.id && state.complete ? state.user : claimed,
    complete: state.user?.id === claimed.id && state.complete,
  }))
}

/** Another tab may have renewed while this one slept; renewing with its worn token would end the session for both. */
function applyTokenFromOtherTab(): void {
  const { token, user } = useSession.getState()
  const stored = localStorage.getItem(STORAGE_KEY)
  if (stored !== null && stored !== token && userFromToken(stored)?.id === user?.id) applyToken(stored)
}

/** Once while the page lasts: who chooses "Later" is asked again at the next start. */
function promptFirstPassword(): void {
  if (askedForPassword) return
  askedForPassword = true
  void ask('first-password', {})
}
let askedForPassword = false

/** The full record after the claims; should it fail, the claims do until the next renewal. */
async function completeUser(): Promise<void> {
  const { user } = useSession.getState()
  if (user === null) return
  for (;;) {
    await saving
    const before = changes
    const { mustChangePassword = false, ...full } = await client.users.get({ params: { id: String(user.id) } })
    // Somebody chose something while the record was on its way: it is older than what is on show.
    if (before !== changes) continue
    useSession.setState((state) => (state.user?.id === full.id ? { user: full, complete: true } : {}))
    if (mustChangePassword) promptFirstPassword()
    return
  }
}

function endSession({ wished, silently }: { wished: boolean; silently?: boolean }): void {
  for (const key of [STORAGE_KEY, SESSION_ONLY_KEY]) localStorage.removeItem(key)
  useSession.setState({ token: null, user: null, complete: false, ended: wished ? 'wished' : silently ? null : 'refused' })
}

/** Another tab signed in, renewed or out: this one follows. */
function listenToOtherTabs(): void {
  addEventListener('storage', (event: StorageEvent) => {
    if (event.key !== STORAGE_KEY) return
    const { token } = useSession.getState()
    if (event.newValue === null) return token !== null && endSession({ wished: true })
    if (event.newValue === token || userFromToken(event.newValue) === null) return
    applyToken(event.newValue)
    void completeUser().catch(() => undefined)
  })
}
