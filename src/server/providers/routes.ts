import * as z from 'zod/mini'
import { oidc as calls, type SignInProblem } from '../../shared/contract/providers.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import { mount, readText } from '../http/mount.ts'
import { redirect, type Router } from '../http/router.ts'
import { type CookieOptions, devicesIn, originOf, tokenResponse } from '../sessions/routes.ts'
import { PROOF_MS } from '../sessions/session-lifetime.ts'
import type { Account } from '../users/account.ts'
import { NO_PASSWORD } from '../users/password.ts'
import { addressesOf, ownPath, redirectUri, signedOutUri } from './addresses.ts'
import { type Identity, reasonOf, Refused } from './authorize.ts'
import type { Flow } from './flows.ts'
import { flowCookie, flowCookiesIn } from './flow-cookie.ts'
import type { Providers } from './module.ts'
import { addressProblem, directoryIssuer, type StoredProvider } from './provider.ts'

export interface ProviderRoutesDeps {
  readonly providers: Providers
  readonly cookie: CookieOptions
}

const MAX_FORM_BYTES = 64 * 1024

/** What the callback leaves for the page that finishes. */
const SignedIn = z.object({
  userId: z.number(),
  authEpoch: z.number(),
  issuer: z.string(),
  subject: z.string(),
  sid: z.string(),
  idToken: z.string(),
  isRecent: z.boolean(),
})
const Connecting = z.object({ issuer: z.string(), subject: z.string() })

/** Signing in through a provider, connecting an account with one, and logout by either side. */
export function mountProviders(app: Router, { providers, cookie }: ProviderRoutesDeps): void {
  const { store, links, flows, authorize, entry, providerSessions, users, bus, log } = providers
  const { baseUrl: base } = providers.addresses
  const page = (path: string, params: Readonly<Record<string, string>>): string =>
    `${base}${path}?${new URLSearchParams(params).toString()}`
  const usable = async (id: string): Promise<StoredProvider> => {
    const provider = await store.find(id)
    return provider?.enabled === true ? provider : fail('not-found', {})
  }
  const withoutFlow = (response: Response, secure: boolean): Response => {
    response.headers.append('set-cookie', flowCookie('', { base, secure }))
    return response
  }
  const leadTo = (url: string, headers: Record<string, string> = {}): Response => {
    const response = redirect(url)
    for (const [name, value] of Object.entries(headers)) response.headers.append(name, value)
    // The address of the callback holds the code.
    response.headers.set('referrer-policy', 'no-referrer')
    return response
  }

  mount(app, calls.start, async ({ params: { id }, query: { to, remember, again }, request, secure, peer }) => {
    const target = ownPath(to)
    const failed = (problem: SignInProblem): Response => leadTo(page('/login', { problem, redirect: target }))
    const provider = await store.find(id)
    if (provider?.enabled !== true) return failed('provider')
    if (!providers.mayBegin(peer)) return fail('too-many-requests', { retryAfterSeconds: 10 })
    try {
      const { url, cookie: value } = await authorize.begin(provider, {
        purpose: 'sign-in',
        redirectUri: redirectUri(addressesOf(request, { secure }, providers.addresses), id),
        target,
        remember: remember !== 'false',
        maxAge: again === 'true' ? PROOF_MS / 1000 : null,
        userId: null,
      })
      return leadTo(url, { 'set-cookie': flowCookie(value, { base, secure }) })
    } catch (error) {
      log(`sign-in provider ${id}: ${reasonOf(error)}`)
      return failed('provider')
    }
  })

  mount(app, calls.callback, async ({ params: { id }, request, peer }) => {
    const { search, searchParams } = new URL(request.url)
    const state = searchParams.get('state') ?? ''
    const flow = await flows.take(state, { provider: id, cookies: flowCookiesIn(request) })
    const provider = await store.find(id)
    if (flow === null || provider === null) return leadTo(page('/login', { problem: 'expired' }))
    if (flow.purpose === 'try') {
      const report = await providers.trial.finish(provider, flow, { search, state })
      await flows.prove(flow, JSON.stringify(report))
      return leadTo(base + flow.target)
    }
    const problem = provider.enabled ? await proved(provider, flow, { search, state, peer }) : 'provider'
    if (flow.purpose === 'connect') return leadTo(page(flow.target, { connected: id, ...(problem !== null && { problem }) }))
    return leadTo(
      page('/login', {
        ...(problem === null ? { provider: id } : { problem }),
        redirect: flow.target,
      }),
    )
  })

  /** Checks the answer and keeps who it is. @returns what prevents going on */
  async function proved(
    provider: StoredProvider,
    flow: Flow,
    { search, state, peer }: { search: string; state: string; peer: string | null },
  ): Promise<SignInProblem | null> {
    let identity: Identity
    try {
      identity = await authorize.exchange(provider, flow, { search, state })
    } catch (error) {
      log(`sign-in provider ${provider.id}: ${reasonOf(error)}`)
      return error instanceof Refused ? 'refused' : 'provider'
    }
    const { issuer, subject, sid, idToken, authenticatedAt } = identity
    // A provider that does not say is taken to have asked.
    const isRecent = authenticatedAt === null || providers.clock().getTime() - authenticatedAt <= PROOF_MS
    if (flow.purpose === 'connect') {
      if (!entry.allows(provider, identity)) return 'not-allowed'
      await flows.prove(flow, JSON.stringify({ issuer, subject }))
      return null
    }
    const decision = await entry.enter(provider, identity, { address: peer })
    if ('problem' in decision) {
      bus.announce('noted', {
        kind: 'sign-in-failed',
        by: null,
        address: peer,
        details: [{ place: 'provider', before: null, after: decision.problem }],
      })
      return decision.problem
    }
    await flows.prove(
      flow,
      JSON.stringify({ userId: decision.account.id, authEpoch: decision.account.authEpoch, issuer, subject, sid, idToken, isRecent }),
    )
    return null
  }

  mount(app, calls.finish, async ({ request, secure, peer }) => {
    const flow = (await flows.finish('sign-in', flowCookiesIn(request))) ?? fail('wrong-credentials', {})
    const { userId, authEpoch, isRecent, ...person } = SignedIn.parse(JSON.parse(flow.outcome))
    const provider = await usable(flow.provider)
    const account = await users.find(userId)
    // What ends all sessions, or the connection, ends a sign-in that is not finished too.
    const isConnected = (await links.find(person))?.user_id === userId
    if (account === null || account.disabled || account.authEpoch !== authEpoch || !isConnected) fail('wrong-credentials', {})
    const opened = await providers.open(account, {
      from: originOf(request, peer, cookie),
      method: `oidc ${provider.id}`,
      devices: devicesIn(request, cookie),
      hasSecond: provider.secondFactor,
      isRecent,
      person: { ...person, provider: provider.id },
    })
    return withoutFlow(tokenResponse(opened, { ...cookie, secure, remember: flow.remember === 1 }), secure)
  })

  mount(app, calls.once, async ({ body: { secret }, request, secure, peer }) => {
    const userId = (await providers.signInLinks.use(secret)) ?? fail('wrong-credentials', {})
    const account = await users.find(userId)
    if (account === null || account.disabled) fail('wrong-credentials', {})
    const opened = await providers.open(account, {
      from: originOf(request, peer, cookie),
      method: 'link',
      devices: devicesIn(request, cookie),
    })
    return tokenResponse(opened, { ...cookie, secure, remember: false })
  })

  mount(app, calls.connect, async ({ params: { id }, body: { to, current_password }, viewer, request, secure, peer }) => {
    const provider = await usable(id)
    await providers.requireProof({ viewer, address: peer, password: current_password })
    try {
      const { url, cookie: value } = await authorize.begin(provider, {
        purpose: 'connect',
        redirectUri: redirectUri(addressesOf(request, { secure }, providers.addresses), id),
        target: ownPath(to),
        remember: false,
        userId: viewer.userId,
      })
      return Response.json({ url }, { headers: { 'set-cookie': flowCookie(value, { base, secure }) } })
    } catch (error) {
      log(`sign-in provider ${id}: ${reasonOf(error)}`)
      return fail('offline', {})
    }
  })

  mount(app, calls.connected, async ({ viewer, request, peer }) => {
    const flow = await flows.finish('connect', flowCookiesIn(request))
    // The person who began it is still signed in; nobody else can be made to finish it.
    if (flow === null || flow.user_id !== viewer.userId) return { problem: 'expired' as const }
    try {
      await links.add(Connecting.parse(JSON.parse(flow.outcome)), { userId: viewer.userId, provider: flow.provider })
    } catch (error) {
      if (isAppError(error, 'already-exists')) return { problem: 'linked-elsewhere' as const }
      throw error
    }
    const account = await users.find(viewer.userId)
    if (account !== null) await entry.trustFactor(account)
    noteLink({ by: viewer, peer, subject: viewer.username }, { before: null, after: flow.provider })
    return { problem: null }
  })

  function noteLink(
    { by, peer, subject }: { by: { userId: number; username: string }; peer: string | null; subject: string },
    { before, after }: { before: string | null; after: string | null },
  ): void {
    const details = [{ place: 'provider', before, after }]
    bus.announce('noted', { kind: 'user-changed', by: { id: by.userId, name: by.username }, address: peer, subject, details })
  }

  mount(app, calls.connections, async ({ viewer }) => {
    const mine = await links.ofUser(viewer.userId)
    const account = await users.find(viewer.userId)
    const connections = (await store.ways())
      .filter(({ id, enabled }) => enabled || mine.some((link) => link.provider === id))
      .map(({ id, kind, name }) => {
        const own = mine.filter((link) => link.provider === id)
        return { id, kind, name, connected: own[0]?.created_at ?? null, isFixed: account !== null && isFixed(account, own) }
      })
    const isElsewhere = account !== null && (await providers.hasNoPassword(account))
    return { password: account !== null && !isElsewhere, connections }
  })

  mount(app, calls.disconnect, async ({ params: { id }, body: { current_password }, viewer, peer }) => {
    const mine = await links.ofUser(viewer.userId)
    const leaving = mine.filter(({ provider }) => provider === id)
    if (leaving.length === 0) fail('not-found', {})
    const account = (await users.find(viewer.userId)) ?? fail('not-found', {})
    if (isFixed(account, leaving)) fail('forbidden', { right: 'admin' })
    if (account.passwordHash === NO_PASSWORD && mine.length === leaving.length) fail('forbidden', { right: 'provider' })
    await providers.requireProof({ viewer, address: peer, password: current_password })
    for (const link of leaving) await providers.disconnect.person(link, { keep: viewer.sessionId })
    noteLink({ by: viewer, peer, subject: viewer.username }, { before: id, after: null })
    return undefined
  })

  mount(app, calls.leave, async ({ viewer, request, secure }) => {
    const session = await providerSessions.of(viewer.sessionId)
    const provider = session === null ? null : await store.find(session.provider)
    if (session === null || provider?.endSession !== true) return { url: null }
    try {
      const library = await providers.relyingParty.library()
      const configuration = await providers.relyingParty.configurationOf(provider)
      if (configuration.serverMetadata().end_session_endpoint === undefined) return { url: null }
      const { href } = library.buildEndSessionUrl(configuration, {
        id_token_hint: session.id_token,
        post_logout_redirect_uri: signedOutUri(addressesOf(request, { secure }, providers.addresses)),
      })
      return { url: addressProblem(href) === null ? href : null }
    } catch (error) {
      // Signing out here works without the provider.
      log(`sign-in provider ${provider.id}: ${reasonOf(error)}`)
      return { url: null }
    }
  })

  mount(app, calls.backchannel, async ({ params: { id }, request }) => {
    const provider = await usable(id)
    const token = new URLSearchParams(await readText(request, MAX_FORM_BYTES)).get('logout_token') ?? ''
    try {
      for (const userId of await providers.backchannel(provider, token)) {
        const account = await users.find(userId)
        const details = [{ place: 'provider', before: provider.id, after: null }]
        bus.announce('noted', { kind: 'sign-out', by: null, address: null, subject: account?.username ?? '', details })
      }
      return new Response(null, { status: 200 })
    } catch (error) {
      log(`sign-in provider ${id}: logout token refused: ${reasonOf(error)}`)
      return Response.json({ error: 'invalid_request' }, { status: 400 })
    }
  })
}

/** A directory that brought somebody decides when they leave. */
function isFixed({ lockPassword }: Account, links: readonly { issuer: string; provider: string }[]): boolean {
  return lockPassword && links.some(({ issuer, provider }) => issuer === directoryIssuer(provider))
}
