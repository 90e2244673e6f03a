import { create } from 'zustand'
import { session } from '../../shared/contract/session.ts'
import { isAppError } from '../../shared/errors.ts'
import { type FirstMinute, type OwnFields, type User, users, type WelcomeStep } from '../../shared/contract/users.ts'
import { clientFor, setSessionHooks } from './client.ts'
import { pageConfig } from './page-config.ts'
import { ask } from './prompts.ts'
import { withoutOwnRights } from './share-context.ts'
import { firstMinuteTold, forgetStepResult, keepStepResult, type StepResult } from './step-result.ts'
import { userFromToken } from './token.ts'

declare module './prompts.ts' {
  interface PromptKinds {
    /** The session has expired: signs the same user in again; answered when there is a new token. */
    'sign-in-again': { props: { username: string }; answer: true }
  }
}

const client = clientFor({ session, users })

const STORAGE_KEY = 'jwt'
/** Present while a session is to end with the browser. */
const SESSION_ONLY_KEY = 'satchel-brief'
export const FROM_WEB = { 'x-satchel-web': '1' }
/** Servers with short-lived tokens ask with every response. */
const RENEW_AT_MOST_EVERY_MS = 30_000

/** The operator's page for signed-out users, if it is not the sign-in page. */
export const LOGOUT_URL = pageConfig.LogoutPage === '' || pageConfig.LogoutPage === '/login' ? null : pageConfig.LogoutPage

interface SessionState {
  token: string | null
  /** Null while signed out. Initially from the token's claims, then the full record. */
  user: User | null
  /** Whether `user` is the server's record. */
  complete: boolean
  /** What the first administrator is asked after the first sign-in; an empty list of steps: all of them have just been done. */
  firstMinute: FirstMinute
  /** How the last session ended: the user signed out, or the server rejected the token, which the sign-in screen reports. */
  ended: 'signed-out' | 'refused' | null
  /** Why automatic sign-in failed, on servers without a sign-in page. */
  automaticError: 'refused' | 'offline' | null
}

export const useSession = create<SessionState>(() => ({
  token: null,
  user: null,
  complete: false,
  firstMinute: {},
  ended: null,
  automaticError: null,
}))

let renewal: Promise<void> | null = null
let renewedAt = 0

setSessionHooks({
  token: () => useSession.getState().token,
  onRefused: onTokenRefused,
  onHeldBack: () => void refreshFirstMinute(),
  onRenewAsked: () => Date.now() - renewedAt > RENEW_AT_MOST_EVERY_MS && void renew().catch(() => undefined),
})

/** The signed-in user; only for screens behind the guard. */
export function useUser(): User {
  const user = useSession((state) => state.user)
  if (user === null) throw new Error('a screen without a session asked for its user')
  return user
}

/** The stored token, which may have expired. */
export function storedToken(): string | null {
  const stored = localStorage.getItem(STORAGE_KEY)
  return stored === '' || stored === 'null' ? null : stored
}

/**
 * Starts a session with the stored token. If it is invalid, logs a warning and stays signed out.
 * @param options.isReturning a provider has led back to this page, and what was proved there opens the session instead
 */
export async function startSession({ isReturning = false }: { isReturning?: boolean } = {}): Promise<void> {
  listenToOtherTabs()
  if (pageConfig.NoAuth || !pageConfig.LoginPage) return signInAutomatically(storedToken() ?? '')
  if (!isReturning) await resumeSession()
}

/** Goes on with the stored session, if there is one. If it is invalid, logs a warning and stays signed out. */
export async function resumeSession(): Promise<void> {
  const stored = storedToken()
  if (stored === null) return
  try {
    applyToken(stored)
    await renew()
  } catch (error) {
    // Only the server can tell that a token is no longer valid: it may be unreachable or out of order, and a page that is left breaks the response off.
    if (userFromToken(stored) !== null && !isAppError(error, 'sign-in-needed')) return
    console.warn('The stored session is no longer valid:', error instanceof Error ? error.message : error)
    endSession({ signedOut: false, silently: true })
  }
}

export interface Credentials {
  username: string
  password: string
  recaptcha?: string
  /** Whether the session outlives the browser; defaults to the current session's setting. */
  remember?: boolean
}

/** Whether the current session outlives the browser. */
export function outlivesBrowser(): boolean {
  return localStorage.getItem(SESSION_ONLY_KEY) === null
}

/** Fails with `wrong-credentials`, `second-factor-needed`, `too-many-requests` or `offline`. */
export async function signIn({ remember = outlivesBrowser(), ...credentials }: Credentials): Promise<void> {
  const response = await client.session.login({ headers: FROM_WEB, body: { ...credentials, remember } })
  enter(await response.text(), { remember })
}

/** A sign-in has succeeded. */
export function enter(token: string, { remember }: { remember: boolean }): void {
  applyToken(token, { isFresh: true })
  if (!remember) localStorage.setItem(SESSION_ONLY_KEY, '')
  void completeUser().catch(() => undefined)
}

/** Remembers whether the session that a provider will open ends with the browser. */
export function keepSession({ remember }: { remember: boolean }): void {
  if (remember) localStorage.removeItem(SESSION_ONLY_KEY)
  else localStorage.setItem(SESSION_ONLY_KEY, '')
}

/** Creates an account without signing in. Fails with `name-taken`, `invalid-input` for a rejected password, `method-not-allowed`. */
export async function signUp({ username, password, recaptcha }: Credentials): Promise<void> {
  await client.session.signup({ body: { username, password, recaptcha } })
}

/** The token being revoked; a 401 for it is expected. */
let tokenBeingRevoked: string | null = null

/** Ends the session here and on the server. Never fails: without a server, the browser still forgets the token. */
export async function signOut(): Promise<void> {
  tokenBeingRevoked = useSession.getState().token
  const left = pageConfig.Providers.length === 0 ? null : await (await import('./provider-leave.ts')).addressToLeave().catch(() => null)
  if (tokenBeingRevoked !== null) await client.session.logout({}).catch(() => undefined)
  endSession({ signedOut: true })
  if (left !== null) location.assign(left)
  else if (LOGOUT_URL !== null) location.assign(LOGOUT_URL)
}

/** Ends every session of the user. If the request fails, none is ended. */
export async function signOutEverywhere({ tokens }: { tokens: boolean }): Promise<void> {
  await client.session.everywhere({ query: tokens ? { tokens: 'true' } : {} })
  endSession({ signedOut: true })
}

/** The sign-in screen is shown: from now on it returns users to the page they wanted. */
export function acknowledgeEnd(): void {
  useSession.setState({ ended: null })
}

/** Renews the token; concurrent callers share one request. */
export function renew(): Promise<void> {
  renewal ??= (async () => {
    applyTokenFromOtherTab()
    renewedAt = Date.now()
    const response = await client.session.renew({ headers: FROM_WEB })
    applyToken(await response.text(), { isFresh: true })
    void completeUser().catch(() => undefined)
  })().finally(() => {
    renewal = null
  })
  return renewal
}

let reauthenticating: Promise<void> | null = null

/** The server rejected a token. Continues if there is a newer one; otherwise asks the user to sign in again, once for all affected requests. */
async function onTokenRefused(token: string): Promise<boolean> {
  if (token === tokenBeingRevoked) return false
  if (token === useSession.getState().token) {
    reauthenticating ??= reauthenticate(token).finally(() => (reauthenticating = null))
    await reauthenticating
  }
  const now = useSession.getState()
  // Another user may have signed in in another tab; do not retry as that user.
  return now.token !== null && now.token !== token && now.user?.id === userFromToken(token)?.id
}

/** In a dialog if the user has a password; otherwise on the sign-in page. */
async function reauthenticate(token: string): Promise<void> {
  applyTokenFromOtherTab()
  const isGone = () => useSession.getState().token === token
  const username = useSession.getState().user?.username ?? ''
  if (isGone() && username !== '' && hasPasswordLogin(useSession.getState().user)) await ask('sign-in-again', { username }, { onTop: true })
  if (isGone()) endSession({ signedOut: false })
}

/** Accounts that a provider made have no password, and one that cannot be changed. */
function hasPasswordLogin(user: User | null): boolean {
  const isOfProvider =
    (pageConfig.ProvidersOnly && !pageConfig.Directories) || (pageConfig.Providers.length > 0 && user?.lockPassword === true)
  return pageConfig.LoginPage && !pageConfig.NoAuth && !pageConfig.ReCaptcha && !isOfProvider
}

/** Profile changes are sent sequentially, so that the last choice wins on the server too. */
let saving: Promise<unknown> = Promise.resolve()
let changes = 0
/** The record as confirmed by the server, while changes are pending. */
let confirmed: User | null = null
let unanswered: readonly OwnFields[] = []

/** Saves fields of the user's own record optimistically; on failure rolls back these fields only. */
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

/** Only if the same user is still signed in: restores the fields to the server's values, or to later choices. */
function rollback({ id }: User, fields: OwnFields): void {
  const { user } = useSession.getState()
  if (user?.id !== id || confirmed?.id !== id) return
  const last = confirmed
  const before = Object.fromEntries(Object.keys(fields).map((name) => [name, last[name as keyof OwnFields]]))
  const later = unanswered.slice(unanswered.indexOf(fields) + 1)
  useSession.setState({ user: Object.assign({ ...user }, before, ...later) })
}

/**
 * Without a sign-in page, the server identifies the user (noauth, proxy). Never fails: see `automaticError`.
 * @param stored the stored token, used while offline
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

/** @param options.isFresh the server has just issued it, so that what it says of the first minute is true */
function applyToken(token: string, { isFresh = false } = {}): void {
  const claimed = userFromToken(token)
  if (claimed === null) throw new Error('token malformed')
  localStorage.setItem(STORAGE_KEY, token)
  useSession.setState((state) => ({
    token,
    ended: null,
    automaticError: null,
    firstMinute: isFresh ? firstMinuteAfter(state.firstMinute, firstMinuteTold(token, claimed.id)) : state.firstMinute,
    // A renewal keeps the full record until a fresh one arrives.
    user: state.user?.id === claimed.id && state.complete ? state.user : withoutOwnRights(claimed),
    complete: state.user?.id === claimed.id && state.complete,
  }))
}

/** Another tab may have renewed the token; renewing the old one would end the session of both. */
function applyTokenFromOtherTab(): void {
  const { token, user } = useSession.getState()
  const stored = localStorage.getItem(STORAGE_KEY)
  if (stored !== null && stored !== token && userFromToken(stored)?.id === user?.id) applyToken(stored)
}

/** Whether the first minute is over, or was none. */
export function isSettled({ firstMinute }: Pick<SessionState, 'firstMinute'>): boolean {
  const { mustChangePassword = false, mustSetUpFactor = false, welcome } = firstMinute
  return !mustChangePassword && !mustSetUpFactor && welcome === undefined
}

/** What has been done here is not asked again, even if a token was issued a moment before. */
function firstMinuteAfter(here: FirstMinute, told: FirstMinute): FirstMinute {
  if (isSettled({ firstMinute: here })) return told
  return {
    mustChangePassword: here.mustChangePassword === true && told.mustChangePassword === true,
    mustSetUpFactor: showsCodes || told.mustSetUpFactor === true,
    welcome: here.welcome?.filter((step) => told.welcome?.includes(step)),
  }
}

/** The printed password has been replaced. A new token tells the other tabs. */
export function passwordChosen(): void {
  useSession.setState(({ firstMinute }) => ({ firstMinute: { ...firstMinute, mustChangePassword: false } }))
  void renew().catch(() => undefined)
}

/** Whether recovery codes, which are shown once, have yet to be put away. */
let showsCodes = false

/** The second factor that is required is set up; its step stays until `factorSetUp`. */
export function holdFactorStep(): void {
  showsCodes = true
}

/** The second factor that is required is set up, and its step can be left. */
export function factorSetUp(): void {
  showsCodes = false
  useSession.setState(({ firstMinute }) => ({ firstMinute: { ...firstMinute, mustSetUpFactor: false } }))
  void renew().catch(() => undefined)
}

/** Another tab or device may have answered meanwhile. If it has ended this session, it ends here too. */
export async function refreshFirstMinute(): Promise<void> {
  const { token } = useSession.getState()
  try {
    await renew()
  } catch (error) {
    if (isAppError(error, 'sign-in-needed') && useSession.getState().token === token) endSession({ signedOut: false })
  }
}

/** A step has made something: it is done on the server, and stays here until it is left with `finishSteps`. */
export function showStepResult(result: StepResult): void {
  const { user } = useSession.getState()
  if (user === null) return
  keepStepResult(user.id, result)
  // Should it fail, leaving the step tries again.
  void client.users.welcomed({ body: { done: [result.step] } }).catch(() => undefined)
}

/** Steps were taken or skipped, here at once and on the server for good. */
export async function finishSteps(done: readonly WelcomeStep[]): Promise<void> {
  await client.users.welcomed({ body: { done: [...done] } })
  forgetStepResult()
  useSession.setState(({ firstMinute: { welcome = [], ...rest } }) => ({
    firstMinute: { ...rest, welcome: welcome.filter((step) => !done.includes(step)) },
  }))
}

/** The first minute is over. */
export function leaveWelcome(): void {
  useSession.setState({ firstMinute: {} })
}

/** The full record after the claims; should it fail, the claims do until the next renewal. */
async function completeUser(): Promise<void> {
  const { user } = useSession.getState()
  if (user === null) return
  for (;;) {
    await saving
    const before = changes
    const {
      mustChangePassword: _,
      mustSetUpFactor: __,
      welcome: ___,
      ...full
    } = await client.users.get({ params: { id: String(user.id) } })
    // Changes made while the record was loading are newer than it.
    if (before !== changes) continue
    useSession.setState((state) => (state.user?.id === full.id ? { user: withoutOwnRights(full), complete: true } : {}))
    return
  }
}

function endSession({ signedOut, silently }: { signedOut: boolean; silently?: boolean }): void {
  for (const key of [STORAGE_KEY, SESSION_ONLY_KEY]) localStorage.removeItem(key)
  forgetStepResult()
  useSession.setState({
    token: null,
    user: null,
    complete: false,
    firstMinute: {},
    ended: signedOut ? 'signed-out' : silently ? null : 'refused',
  })
}

/** Follows sign-ins, renewals and sign-outs of other tabs. */
function listenToOtherTabs(): void {
  addEventListener('storage', (event: StorageEvent) => {
    if (event.key !== STORAGE_KEY) return
    const { token } = useSession.getState()
    if (event.newValue === null) return token !== null && endSession({ signedOut: true })
    if (event.newValue === token || userFromToken(event.newValue) === null) return
    // Just issued, so that what it says of the first minute is true.
    applyToken(event.newValue, { isFresh: true })
    void completeUser().catch(() => undefined)
  })
}
