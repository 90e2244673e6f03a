/** The longest id of a sign-in provider. */
const MAX_LENGTH = 40

/** Lower-case letters, digits and single dashes: it is a part of the redirect address that is registered at the provider. */
export const PROVIDER_ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** An id made from a name: `Our Keycloak` → `our-keycloak`; `provider` if the name has no letters or digits that can be used. */
export function providerIdFrom(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase()
  const id = plain
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
  return id === '' ? 'provider' : id
}
