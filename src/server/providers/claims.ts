import type { ClaimValues, ProviderFields } from '../../shared/contract/providers.ts'

/** What a provider says of somebody: the claims of the ID token, and those of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

const MAX_SHOWN = 60

/** The texts of a claim. `realm_access.roles` leads into a record, unless there is a claim of exactly that name. */
export function valuesOf(claims: Claims, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : within(claims, name.split('.'))
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
    typeof one === 'string' ? [one] : typeof one === 'number' || typeof one === 'boolean' ? [String(one)] : [],
  )
}

/** Whether one of the values was claimed. A mail address counts only if the provider says that it is verified. */
export function matches(claims: Claims, { claim, values }: ClaimValues): boolean {
  if (claim === 'email' && claims['email_verified'] !== true) return false
  return valuesOf(claims, claim).some((value) => values.includes(value))
}

/** Whether a setting says anything at all. */
export function isSet({ claim, values }: ClaimValues): boolean {
  return claim !== '' && values.length > 0
}

/** Whether memberships follow a claim. */
export function mapsGroups({ groups: { claim, map } }: Pick<ProviderFields, 'groups'>): boolean {
  return claim !== '' && map.some(({ values }) => values.length > 0)
}

/** The ids of the groups whose members somebody is, by their claims. */
export function groupsIn({ groups: { claim, map } }: Pick<ProviderFields, 'groups'>, claims: Claims): ReadonlySet<number> {
  return new Set(map.filter(({ values }) => claim !== '' && matches(claims, { claim, values })).map(({ group }) => group))
}

/** For an administrator who tries a provider; long values are cut, and times and hashes of the token are left out. */
export function shownClaims(claims: Claims): { name: string; value: string }[] {
  const technical = new Set(['at_hash', 'c_hash', 's_hash', 'nonce', 'auth_time', 'exp', 'iat', 'nbf', 'jti'])
  return Object.entries(claims)
    .filter(([name]) => !technical.has(name))
    .map(([name, value]) => ({ name, value: shortened(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')) }))
}

export function shortened(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`
}

function within(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? within((value as Record<string, unknown>)[name], rest)
    : undefined
}
