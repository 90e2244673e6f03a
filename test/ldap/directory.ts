import type { DirectoryInput } from '../../src/shared/contract/directories.ts'
import type { Product } from '../contract/world.ts'
import { BASE, SEARCHER, type Slapd } from './slapd.ts'
import type { StandIn } from './stand-in.ts'

/** The fields of a directory, for `slapd` as the tests start it. */
export function fieldsFor({ ldaps, ca }: Pick<Slapd, 'ldaps' | 'ca'>): DirectoryInput {
  return { name: 'Corp', urls: [ldaps], ca, bindDn: SEARCHER.dn, bindPassword: SEARCHER.password, baseDn: BASE, create: true }
}

/** For a stand-in without TLS, in the manner of Active Directory. */
export function fieldsForStandIn({ port }: Pick<StandIn, 'port'>): DirectoryInput {
  return {
    name: 'AD',
    urls: [`ldap://127.0.0.1:${port}`],
    plaintext: true,
    bindDn: 'satchel@example.org',
    bindPassword: SEARCHER.password,
    baseDn: BASE,
    userFilter: '(&(objectClass=user)(sAMAccountName={login}))',
    idAttribute: 'objectGUID',
    usernameAttribute: 'sAMAccountName',
    groupWay: 'chain',
    groupFilter: '(objectClass=group)',
    create: true,
  }
}

/** An administrator adds a directory `corp`. */
export async function addDirectory(product: Product, fields: DirectoryInput): Promise<void> {
  await product.as('root').directories.create({ body: { ...fields, id: 'corp' } })
}

export interface Answer {
  readonly status: number
  /** The token, or what the server says instead. */
  readonly text: string
}

/** The ordinary sign-in. @param from another client's address */
export async function enter(product: Product, username: string, password = `password of ${username}`, from?: string): Promise<Answer> {
  const answer = await product.ask('/api/login', {
    method: 'POST',
    body: JSON.stringify({ username, password }),
    headers: { accept: 'application/json' },
    ...(from !== undefined && { from: { peer: from } }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** The status of a call with a token. */
export async function statusOf(product: Product, token: string): Promise<number> {
  return (await product.ask('/api/resources/', { headers: { 'x-auth': token, accept: 'application/json' } })).status
}
