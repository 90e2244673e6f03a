import * as z from 'zod/mini'
import { PROVIDER_ID } from '../provider-id.ts'
import { endpoint } from './endpoint.ts'

const Id = z.string().check(z.maxLength(40), z.regex(PROVIDER_ID))
const short = z.string().check(z.maxLength(200))
const address = z.string().check(z.maxLength(2000))

/** Values of a claim; a dot in its name leads into a record. Without a claim or values, it says nothing. */
export const ClaimValues = z.object({
  claim: z._default(short, ''),
  values: z._default(z.array(short).check(z.maxLength(100)), []),
})
export type ClaimValues = z.infer<typeof ClaimValues>

/** The groups whose members people become and cease to be at each sign-in: those with one of the values in the claim. */
const ClaimedGroups = z.object({
  claim: z._default(short, ''),
  map: z._default(
    z.array(z.object({ group: z.number().check(z.int()), values: z.array(short).check(z.maxLength(100)) })).check(z.maxLength(200)),
    [],
  ),
})

/** An OpenID Connect provider, without its secret. */
export const ProviderFields = z.object({
  /** On the button of the sign-in page. */
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  enabled: z._default(z.boolean(), true),
  issuer: address,
  clientId: z.string().check(z.minLength(1), z.maxLength(500)),
  /** Besides `openid`. */
  scopes: z._default(z.array(short).check(z.maxLength(30)), ['profile', 'email']),
  /** From which claim a new account gets its name. */
  usernameClaim: z._default(short, 'preferred_username'),
  /** Who may sign in; everybody if there are no values. */
  allow: z.prefault(ClaimValues, {}),
  /** Who is an administrator; without values the provider makes nobody one. */
  admin: z.prefault(ClaimValues, {}),
  groups: z.prefault(ClaimedGroups, {}),
  /** Whether the provider is trusted to ask for a second factor, so that none is asked here. */
  secondFactor: z._default(z.boolean(), false),
  /** Whether somebody without an account gets one. */
  create: z._default(z.boolean(), false),
  /** Whether signing out here signs out at the provider too. */
  endSession: z._default(z.boolean(), true),
})
export type ProviderFields = z.infer<typeof ProviderFields>

/** The addresses to register at the provider come with it. */
export const Provider = z.extend(ProviderFields, {
  id: Id,
  hasSecret: z.boolean(),
  redirectUri: z.string(),
  backchannelUri: z.string(),
  signedOutUri: z.string(),
})
export type Provider = z.infer<typeof Provider>

/** The secret is kept if it is absent, and removed if it is empty. Absent, a change to another issuer fails with `secret-needed`. */
const ProviderInput = z.extend(ProviderFields, { clientSecret: z.optional(z.string().check(z.maxLength(1000))) })
export type ProviderInput = z.input<typeof ProviderInput>
const proof = { current_password: z.optional(z.string()) }

export const TRY_STEPS = ['discovery', 'keys', 'redirect', 'answer', 'token', 'claims', 'account'] as const

/** Why a sign-in through a provider failed; the page says it in the reader's language. */
export const SIGN_IN_PROBLEMS = [
  'expired',
  'refused',
  'provider',
  'not-allowed',
  'no-account',
  'name-taken',
  'bad-name',
  'disabled',
  'linked-elsewhere',
] as const
export const SignInProblem = z.enum(SIGN_IN_PROBLEMS)
export type SignInProblem = z.infer<typeof SignInProblem>

/** One step of "Try it". `detail` is in English, as the provider or our checks said it. */
export const TryStep = z.object({ step: z.enum(TRY_STEPS), ok: z.boolean(), detail: z.string() })
export type TryStep = z.infer<typeof TryStep>

/** The result so far. `claims` have their values shortened. */
export const TryReport = z.object({
  provider: z.string(),
  steps: z.array(TryStep),
  claims: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Null until it was found out, or if the sign-in would work. */
  problem: z.nullable(SignInProblem),
})
export type TryReport = z.infer<typeof TryReport>

export const Connection = z.object({
  /** Of the provider or directory. */
  id: z.string(),
  kind: z.enum(['oidc', 'ldap']),
  name: z.string(),
  /** Null if the account is not connected with it. Milliseconds since 1970. */
  connected: z.nullable(z.number()),
  /** The directory brought the account: only an administrator can disconnect it. */
  isFixed: z.boolean(),
})
export type Connection = z.infer<typeof Connection>

/** An account that signs in through a provider or a directory, by (issuer, subject); the issuer of a directory is `ldap:` and its id. */
export const AccountLink = z.object({
  provider: z.string(),
  issuer: z.string(),
  subject: z.string(),
  userId: z.number(),
  username: z.string(),
  created: z.number(),
  /** Milliseconds since 1970; 0 if it never signed in. */
  used: z.number(),
})
export type AccountLink = z.infer<typeof AccountLink>

/** Signing in through a provider. The three calls of a sign-in share a cookie that lives ten minutes. */
export const oidc = {
  /**
   * Leads to the provider. `to` is the page to open afterwards; other than own paths are ignored. `again=true` wants a sign-in there of the last five
   * minutes, which confirms who somebody is.
   */
  start: endpoint('anyone', 'GET /api/oidc/:id/start', {
    query: z.object({ to: z.optional(z.string()), remember: z.optional(z.string()), again: z.optional(z.string()) }),
  }),
  /** Where the provider leads back to; leads to a page that ends what was started, or says what went wrong. */
  callback: endpoint('anyone', 'GET /api/oidc/:id/callback'),
  /** The token, after the callback. Fails with `wrong-credentials` if nothing was started in this browser, or it took too long. */
  finish: endpoint('anyone', 'POST /api/oidc/finish'),
  /** The same for an account that is signed in: from now on it can sign in through the provider. @returns where the provider is */
  connect: endpoint('user', 'POST /api/oidc/:id/connect', {
    body: z.strictObject({ to: z.optional(z.string()), ...proof }),
    result: z.object({ url: z.string() }),
  }),
  connected: endpoint('user', 'POST /api/oidc/connected', { result: z.object({ problem: z.nullable(SignInProblem) }) }),
  /** `password`: whether the account has a password here. */
  connections: endpoint('user', 'GET /api/oidc/connections', {
    result: z.object({ password: z.boolean(), connections: z.array(Connection) }),
  }),
  /** Fails with `forbidden` if the account could not sign in any more, or its directory decides; then with `proof-needed`. */
  disconnect: endpoint('user', 'DELETE /api/oidc/connections/:id', { body: z.strictObject(proof), result: 'empty' }),
  /** Before signing out: where the provider's own session can be ended; null if there is nothing to end. */
  leave: endpoint('user', 'POST /api/oidc/leave', { result: z.object({ url: z.nullable(z.string()) }) }),
  /** OpenID Connect Back-Channel Logout 1.0: a form with a `logout_token`. */
  backchannel: endpoint('anyone', 'POST /api/oidc/:id/backchannel', { body: 'bytes' }),
  /** The secret of a link that `satchel users sign-in-link` printed, once. Fails with `wrong-credentials`. */
  once: endpoint('anyone', 'POST /api/login/once', {
    body: z.strictObject({ secret: z.string().check(z.maxLength(100)) }),
    maxBodyBytes: 4096,
  }),
}

/** For administrators: the providers, in the order of their buttons. */
export const providers = {
  list: endpoint('admin', 'GET /api/providers', {
    /** `only`: passwords are refused; `maySetOnly`: the caller is signed in through a provider, and may refuse them. */
    result: z.object({
      providers: z.array(Provider),
      only: z.boolean(),
      maySetOnly: z.boolean(),
      addresses: z.object({ origin: z.string(), base: z.string() }),
    }),
  }),
  create: endpoint('admin', 'POST /api/providers', {
    body: z.extend(ProviderInput, { id: Id, ...proof }),
    result: z.object({ id: z.string() }),
  }),
  update: endpoint('admin', 'PUT /api/providers/:id', { body: z.extend(ProviderInput, proof), result: 'empty' }),
  /** Accounts stay; who signed in through it needs another way. */
  remove: endpoint('admin', 'DELETE /api/providers/:id', { body: z.strictObject(proof), result: 'empty' }),
  order: endpoint('admin', 'POST /api/providers/order', {
    body: z.strictObject({ ids: z.array(z.string()).check(z.maxLength(100)) }),
    result: 'empty',
  }),
  /** Refuses passwords, or accepts them again. Refusing needs an administrator who is signed in through a provider; `forbidden` otherwise. */
  only: endpoint('admin', 'POST /api/providers/only', { body: z.strictObject({ only: z.boolean(), ...proof }), result: 'empty' }),
  /** The steps until the provider's page; `url` leads there. */
  try: endpoint('admin', 'POST /api/providers/:id/try', { result: z.object({ report: TryReport, url: z.nullable(z.string()) }) }),
  /** All steps, after the callback; null if nothing was tried in this browser. Signs nobody in. */
  tried: endpoint('admin', 'POST /api/providers/tried', { result: z.nullable(TryReport) }),
  links: endpoint('admin', 'GET /api/providers/links', { result: z.array(AccountLink) }),
  /** Connects an account by name with a subject of the provider, or with an identity in the directory. Fails with `not-found`, and `already-exists` if the subject is connected. */
  link: endpoint('admin', 'POST /api/providers/links', {
    body: z.strictObject({
      provider: z.string(),
      subject: z.string().check(z.minLength(1), z.maxLength(255)),
      username: z.string(),
      ...proof,
    }),
    result: 'empty',
  }),
  unlink: endpoint('admin', 'POST /api/providers/links/remove', {
    body: z.strictObject({ issuer: z.string(), subject: z.string(), ...proof }),
    result: 'empty',
  }),
}
