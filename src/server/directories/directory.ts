import * as z from 'zod/mini'
import { DirectoryFields, type LastCheck } from '../../shared/contract/directories.ts'
import { fail } from '../../shared/errors.ts'
import { directoryIssuer, sourceOf } from '../providers/provider.ts'
import { canonicalDn } from './ldap-text.ts'
import { checkFilter, LOGIN } from './user-filter.ts'

/** A directory with its password, which the API never returns. */
export interface StoredDirectory extends DirectoryFields {
  readonly id: string
  /** Of `bindDn`. */
  readonly bindPassword: string
}

export interface CheckedDirectory extends StoredDirectory {
  readonly lastCheck: LastCheck | null
}

export const StoredDirectoryConfig = z.pipe(
  z.transform((text: unknown) => JSON.parse(String(text)) as unknown),
  DirectoryFields,
)

/** Of its people. */
export { directoryIssuer as issuerOf } from '../providers/provider.ts'

/** Who keeps the memberships that follow a directory. */
export const directorySource = (id: string): string => sourceOf(id, directoryIssuer(id))

export interface DirectoryAddress {
  readonly host: string
  readonly port: number
  /** Whether TLS comes first. */
  readonly tls: boolean
}

/** The parts of `ldap://host:port` or `ldaps://host:port`; null for anything else. */
export function addressIn(text: string): DirectoryAddress | null {
  const url = URL.parse(text)
  if (url === null || !/^ldaps?:$/.test(url.protocol) || url.hostname === '') return null
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || !/^\/?$/.test(url.pathname)) return null
  const tls = url.protocol === 'ldaps:'
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port === '' ? (tls ? 636 : 389) : Number(url.port), tls }
}

/** What is wrong with a configuration; empty if nothing is. */
export function issuesOf(directory: DirectoryFields): string[] {
  const { urls, startTls, plaintext, ca, bindDn, bindPattern, baseDn, groupBaseDn, allow, admin, groups, groupWay } = directory
  const issues: string[] = []
  for (const url of urls) {
    const address = addressIn(url)
    if (address === null) issues.push(`urls: ${url} is not an address such as ldaps://ldap.example.org`)
    else if (!address.tls && !startTls && !plaintext) issues.push(`urls: ${url} needs StartTLS, or must begin with ldaps://`)
    else if (!address.tls && !startTls && !isLoopback(address.host)) issues.push(`plaintext: ${url} is not on this machine`)
  }
  if (ca !== '' && !/^(?:\s*-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----\s*)+$/.test(ca))
    issues.push('ca: not certificates in PEM')
  if (bindPattern !== '' && !bindPattern.includes(LOGIN)) issues.push(`bindPattern: ${LOGIN} is missing`)
  for (const [field, names] of Object.entries({ baseDn: [baseDn], groupBaseDn: [groupBaseDn].filter((one) => one !== ''), allow, admin }))
    for (const name of names) if (canonicalDn(name) === null) issues.push(`${field}: ${name} is not a distinguished name`)
  for (const name of groups.flatMap(({ values }) => values))
    if (canonicalDn(name) === null) issues.push(`groups: ${name} is not a distinguished name`)
  if (groupWay === 'none' && [...allow, ...admin, ...groups.flatMap(({ values }) => values)].length > 0)
    issues.push('groupWay: groups decide something, so they must be read')
  if (/^[^=@\\]*$/.test(bindDn) && bindDn !== '') issues.push('bindDn: neither a distinguished name nor name@domain')
  issues.push(...checkFilter(directory.userFilter, { field: 'userFilter', needsLogin: true }))
  issues.push(...checkFilter(directory.groupFilter, { field: 'groupFilter', needsLogin: false }))
  for (const field of ['usernameAttribute', 'memberAttribute'] as const) if (directory[field] === '') issues.push(`${field}: is missing`)
  return issues
}

/** Fails with `invalid-input`, one issue for each problem. */
export function checkDirectory(directory: DirectoryFields): void {
  const issues = issuesOf(directory)
  if (issues.length > 0) fail('invalid-input', { issues })
}

/** Whether the stored password would go to another server, or with less protection: then it must be given again. */
export function isElsewhere(before: DirectoryFields, after: DirectoryFields): boolean {
  const servers = (one: DirectoryFields): Set<string> => new Set(one.urls)
  const isNewServer = [...servers(after)].some((url) => !servers(before).has(url))
  return isNewServer || after.bindDn !== before.bindDn || after.ca !== before.ca || (before.startTls && !after.startTls)
}

/** Whether accounts can be compared without anybody signing in. */
export function canCheck({ bindPattern, bindDn }: Pick<DirectoryFields, 'bindPattern' | 'bindDn'>): boolean {
  return bindPattern === '' || bindDn !== ''
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
