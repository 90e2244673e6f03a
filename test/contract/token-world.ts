import { createClient } from '../../src/shared/contract/client.ts'
import { api } from '../../src/shared/contract/index.ts'
import type { ApiToken, ApiTokenInput } from '../../src/shared/contract/tokens.ts'
import type { Permissions } from '../../src/shared/contract/users.ts'
import { EVERYTHING, PASSWORD, type Product, withToken } from './world.ts'

export type MadeToken = ApiToken & { readonly token: string }

/** A token of a person for all that they may do, unless `input` says otherwise. */
export function makeToken(product: Product, who: string, input: Partial<ApiTokenInput> = {}): Promise<MadeToken> {
  return product.as(who).tokens.create({ body: { name: 'script', perm: { ...EVERYTHING, execute: false }, ...input } })
}

/** Rights that are not named are not granted. */
export function only(...rights: (keyof Permissions)[]): Partial<Permissions> {
  return Object.fromEntries(rights.map((right) => [right, true]))
}

/** The contract's own client with a token. */
export function clientWith(product: Product, token: string) {
  return createClient(api, (address, init) => product.ask(address, withToken(init, token)))
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

export function basic(name: string, password: string = PASSWORD): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` }
}
