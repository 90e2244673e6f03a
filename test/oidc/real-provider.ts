import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type GrantContext, Provider } from 'oidc-provider'

export const CLIENT = { id: 'satchel', secret: 'a secret of the client: 100%' }

export interface RealProvider extends AsyncDisposable {
  readonly issuer: string
  /** The claims of people, by subject; the login form takes any subject. */
  readonly people: Map<string, Record<string, unknown>>
}

/** The provider `oidc-provider`, certified by the OpenID Foundation, for a client that is reached at this address (without trailing slash). */
export async function startRealProvider(client: string, { id = 'idp' }: { id?: string } = {}): Promise<RealProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, Record<string, unknown>>()
  const provider = quietly(() => new Provider(issuer, configurationFor(client, id, people)))
  server.on('request', provider.callback())
  return {
    issuer,
    people,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function configurationFor(client: string, id: string, people: ReadonlyMap<string, Record<string, unknown>>) {
  const claimsOf = (sub: string) => ({ sub, preferred_username: sub, ...people.get(sub) })
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${client}/api/oidc/${id}/callback`],
        post_logout_redirect_uris: [`${client}/login`],
        backchannel_logout_uri: `${client}/api/oidc/${id}/backchannel`,
        backchannel_logout_session_required: true,
      },
    ],
    features: { backchannelLogout: { enabled: true } },
    pkce: { required: () => true },
    claims: { profile: ['preferred_username', 'groups'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key for cookies of tests'] },
    // It reaches no private address of its own accord, and ours is one.
    fetch: (url: string | URL, { dispatcher: _dispatcher, ...options }: RequestInit & { dispatcher?: unknown }) => fetch(url, options),
    ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: async () => claimsOf(sub) }),
    /** Nobody is asked whether the client may know who they are. */
    async loadExistingGrant({ oidc }: { oidc: GrantContext['oidc'] }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope(oidc.params.scope)
      await grant.save()
      return grant
    },
  }
}

/** It warns of settings that only matter outside of tests. */
function quietly<T>(work: () => T): T {
  const { warn, info } = console
  Object.assign(console, { warn: () => {}, info: () => {} })
  try {
    return work()
  } finally {
    Object.assign(console, { warn, info })
  }
}
