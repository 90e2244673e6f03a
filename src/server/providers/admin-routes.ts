import { type Provider, type ProviderInput, providers as calls } from '../../shared/contract/providers.ts'
import { fail } from '../../shared/errors.ts'
import { isSameIssuer } from '../../shared/same-issuer.ts'
import type { Viewer } from '../access/viewer.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { type Addresses, addressesOf, backchannelUri, redirectUri, signedOutUri } from './addresses.ts'
import { reasonOf } from './authorize.ts'
import { flowCookie, flowCookiesIn } from './flow-cookie.ts'
import type { Providers } from './module.ts'
import { directoryIssuer, issuerProblem, type StoredProvider } from './provider.ts'

const MOST_PROVIDERS = 20

type By = { readonly viewer: Viewer; readonly peer: string | null }

/** Providers for administrators: settings, order, trial, connected accounts. */
export function mountProviderSettings(app: Router, { providers }: { readonly providers: Providers }): void {
  const { store, links, flows, settings, users, bus } = providers
  const { baseUrl: base } = providers.addresses
  const found = async (id: string): Promise<StoredProvider> => (await store.find(id)) ?? fail('not-found', {})
  const prove = ({ viewer, peer }: By, password: string | undefined) => providers.requireProof({ viewer, address: peer, password })

  /** For the audit trail; contains no secret. */
  function note({ viewer, peer }: By, { subject, details }: { subject: string; details: [string, string | null, string | null][] }): void {
    bus.announce('noted', {
      kind: 'providers-changed',
      by: { id: viewer.userId, name: viewer.username },
      address: peer,
      subject,
      details: details.map(([place, before, after]) => ({ place, before, after })),
    })
  }

  async function maySetOnly(viewer: Viewer): Promise<boolean> {
    const session = await providers.providerSessions.of(viewer.sessionId)
    return session !== null && (await store.ways()).some(({ id, enabled }) => id === session.provider && enabled)
  }

  mount(app, calls.list, async ({ request, secure, viewer }) => {
    const addresses = addressesOf(request, { secure }, providers.addresses)
    return {
      providers: (await store.all()).map((one) => toWire(one, addresses)),
      only: (await settings.read()).providersOnly,
      maySetOnly: await maySetOnly(viewer),
      addresses,
    }
  })

  mount(app, calls.create, async ({ body: { id, current_password, ...input }, ...by }) => {
    check(input)
    const all = await store.all()
    if (all.length >= MOST_PROVIDERS) fail('invalid-input', { issues: [`providers: no more than ${MOST_PROVIDERS}`] })
    if ((await store.ways()).some((one) => one.id === id)) fail('already-exists', { path: id })
    await prove(by, current_password)
    const provider = merged(id, input, '')
    await store.put(provider)
    note(by, { subject: provider.name, details: changesOf(null, provider) })
    return { id }
  })

  mount(app, calls.update, async ({ params: { id }, body: { current_password, ...input }, ...by }) => {
    const before = await found(id)
    check(input)
    // An administrator who only changes the address must not get the secret sent there.
    if (before.clientSecret !== '' && input.clientSecret === undefined && !isSameIssuer(before.issuer, input.issuer))
      fail('secret-needed', { field: 'clientSecret' })
    await prove(by, current_password)
    const provider = merged(id, input, before.clientSecret)
    if (before.enabled && !provider.enabled) await providers.keepOne(id)
    await store.put(provider)
    if (before.secondFactor && !provider.secondFactor) await providers.trustNoMore(id)
    note(by, { subject: provider.name, details: changesOf(before, provider) })
    return undefined
  })

  mount(app, calls.remove, async ({ params: { id }, body: { current_password }, ...by }) => {
    const before = await found(id)
    await prove(by, current_password)
    await providers.keepOne(id)
    await providers.disconnect.everybody(id)
    await store.remove(id)
    await providers.disconnect.everybody(id)
    note(by, { subject: before.name, details: [['issuer', before.issuer, null]] })
    return undefined
  })

  mount(app, calls.order, async ({ body: { ids } }) => {
    await store.order(ids)
    return undefined
  })

  mount(app, calls.only, async ({ body: { only, current_password }, ...by }) => {
    if (only && !(await maySetOnly(by.viewer))) fail('forbidden', { right: 'provider' })
    await prove(by, current_password)
    const { userId: id, username: name } = by.viewer
    await settings.change((before) => ({ ...before, providersOnly: only }), { id, name, address: by.peer })
    return undefined
  })

  mount(app, calls.try, async ({ params: { id }, viewer, request, secure }) => {
    const provider = await found(id)
    const address = redirectUri(addressesOf(request, { secure }, providers.addresses), id)
    try {
      const { report, url, cookie } = await providers.trial.begin(provider, { redirectUri: address, userId: viewer.userId })
      return Response.json({ report, url }, cookie === null ? {} : { headers: { 'set-cookie': flowCookie(cookie, { base, secure }) } })
    } catch (error) {
      const steps = [{ step: 'redirect' as const, ok: false, detail: reasonOf(error) }]
      return { report: { provider: id, steps, claims: [], problem: 'provider' as const }, url: null }
    }
  })

  mount(app, calls.tried, async ({ viewer, request }) => {
    const flow = await flows.finish('try', flowCookiesIn(request))
    return Response.json(flow === null || flow.user_id !== viewer.userId ? null : providers.trial.read(flow.outcome))
  })

  mount(app, calls.links, () => links.all())

  mount(app, calls.link, async ({ body: { provider: id, subject, username, current_password }, ...by }) => {
    const isDirectory = (await store.ways()).some((way) => way.id === id && way.kind === 'ldap')
    const provider = isDirectory ? null : await found(id)
    const account = (await users.findByName(username)) ?? fail('not-found', {})
    await prove(by, current_password)
    const person =
      provider === null ? { issuer: directoryIssuer(id), subject: subject.toLowerCase() } : { issuer: await issuerOf(provider), subject }
    await links.add(person, { userId: account.id, provider: id })
    await providers.entry.trustFactor(account)
    note(by, { subject: account.username, details: [['provider', null, id]] })
    return undefined
  })

  mount(app, calls.unlink, async ({ body: { issuer, subject, current_password }, ...by }) => {
    await prove(by, current_password)
    const link = (await links.find({ issuer, subject })) ?? fail('not-found', {})
    await providers.disconnect.person(link, { keep: null })
    note(by, { subject: (await users.find(link.user_id))?.username ?? '', details: [['provider', issuer, null]] })
    return undefined
  })

  /** As its ID tokens will say it, which may have a slash more or less than was typed. */
  async function issuerOf(provider: StoredProvider): Promise<string> {
    try {
      return (await providers.relyingParty.configurationOf(provider)).serverMetadata().issuer
    } catch (error) {
      return fail('invalid-input', { issues: [`provider: ${reasonOf(error)}`] }, { cause: error })
    }
  }
}

type Input = Omit<ProviderInput, never>

function check({ issuer }: Pick<Input, 'issuer'>): void {
  const problem = issuerProblem(issuer)
  if (problem !== null) fail('invalid-input', { issues: [`issuer: ${problem}`] })
}

/** An absent secret stays. */
function merged(
  id: string,
  { clientSecret, ...fields }: Omit<StoredProvider, 'id' | 'clientSecret'> & { clientSecret?: string | undefined },
  before: string,
): StoredProvider {
  return { ...fields, id, clientSecret: clientSecret ?? before }
}

/** Field by field: the secret is never returned (invariant I15). */
function toWire({ clientSecret, ...fields }: StoredProvider, addresses: Addresses): Provider {
  const { id, name, enabled, issuer, clientId, scopes, usernameClaim, allow, admin, groups, secondFactor, create, endSession } = fields
  return {
    id,
    name,
    enabled,
    issuer,
    clientId,
    scopes,
    usernameClaim,
    allow,
    admin,
    groups,
    secondFactor,
    create,
    endSession,
    hasSecret: clientSecret !== '',
    redirectUri: redirectUri(addresses, id),
    backchannelUri: backchannelUri(addresses, id),
    signedOutUri: signedOutUri(addresses),
  }
}

function changesOf(before: StoredProvider | null, after: StoredProvider): [string, string | null, string | null][] {
  const texts = ({ clientSecret: _secret, id: _id, ...fields }: StoredProvider): Record<string, string> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))
  const was = before === null ? {} : texts(before)
  const changed = Object.entries(texts(after)).filter(([name, text]) => was[name] !== text)
  const secret = before?.clientSecret === after.clientSecret ? [] : [['clientSecret', null, null] as [string, null, null]]
  return [...changed.map(([name, text]): [string, string | null, string | null] => [name, was[name] ?? null, text]), ...secret]
}
