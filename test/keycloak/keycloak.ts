import { expect } from '@playwright/test'
import { KEYCLOAK, ADMINISTRATOR } from './address.ts'

const REALM = 'satchel'
/** At Keycloak, of everybody. */
export const PASSWORD = 'a password at Keycloak'
export const CLIENT = { id: 'satchel', secret: 'a secret of the client: 100%' }

export interface Realm {
  readonly issuer: string
  /** Creates somebody who is in these groups of Keycloak. */
  add(name: string, groups?: readonly string[]): Promise<void>
  leaveGroup(name: string, group: string): Promise<void>
  /** An administrator of Keycloak ends all sessions of somebody, which Keycloak tells its clients by their back channel. */
  endSessions(name: string): Promise<void>
  setEnabled(name: string, enabled: boolean): Promise<void>
}

/** A new realm with a client for the server at this address (without trailing slash), whose provider has the id `keycloak`. */
export async function createRealm(client: string): Promise<Realm> {
  await call('DELETE', `/admin/realms/${REALM}`, undefined, [204, 404])
  await call('POST', '/admin/realms', { realm: REALM, enabled: true, sslRequired: 'none' })
  const below = `/admin/realms/${REALM}`
  await call('POST', `${below}/clients`, {
    clientId: CLIENT.id,
    secret: CLIENT.secret,
    publicClient: false,
    redirectUris: [`${client}/api/oidc/keycloak/callback`],
    attributes: {
      'pkce.code.challenge.method': 'S256',
      'post.logout.redirect.uris': `${client}/login`,
      'backchannel.logout.url': `${client}/api/oidc/keycloak/backchannel`,
      'backchannel.logout.session.required': 'true',
    },
    protocolMappers: [
      {
        name: 'groups',
        protocol: 'openid-connect',
        protocolMapper: 'oidc-group-membership-mapper',
        config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true', 'userinfo.token.claim': 'true' },
      },
    ],
  })
  const groups = new Map<string, string>()

  async function groupId(name: string): Promise<string> {
    if (!groups.has(name)) {
      await call('POST', `${below}/groups`, { name })
      const [made] = (await call('GET', `${below}/groups?exact=true&search=${name}`)) as { id: string }[]
      groups.set(name, made?.id ?? '')
    }
    return groups.get(name) ?? ''
  }
  async function personId(name: string): Promise<string> {
    const [found] = (await call('GET', `${below}/users?exact=true&username=${name}`)) as { id: string }[]
    if (found === undefined) throw new Error(`Keycloak has no ${name}`)
    return found.id
  }

  return {
    issuer: `${KEYCLOAK}/realms/${REALM}`,
    async add(name, memberOf = []) {
      for (const group of memberOf) await groupId(group)
      await call('POST', `${below}/users`, {
        username: name,
        enabled: true,
        firstName: name,
        lastName: 'Example',
        email: `${name}@example.org`,
        emailVerified: true,
        credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
        groups: memberOf,
      })
    },
    async leaveGroup(name, group) {
      await call('DELETE', `${below}/users/${await personId(name)}/groups/${await groupId(group)}`)
    },
    async endSessions(name) {
      await call('POST', `${below}/users/${await personId(name)}/logout`)
    },
    async setEnabled(name, enabled) {
      const id = await personId(name)
      const before = (await call('GET', `${below}/users/${id}`)) as object
      await call('PUT', `${below}/users/${id}`, { ...before, enabled })
    },
  }
}

/** @param expected statuses, if not any of 200 to 299; @returns the parsed answer, or null if it has no content */
async function call(method: string, path: string, body?: unknown, expected?: readonly number[]): Promise<unknown> {
  // A token of the administrator is valid for a minute.
  const answer = await fetch(`${KEYCLOAK}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMINISTRATOR }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const response = await fetch(KEYCLOAK + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(expected?.includes(response.status) ?? response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true)
  return text === '' ? null : JSON.parse(text)
}
