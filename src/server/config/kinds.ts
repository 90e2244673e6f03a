import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { BadValue } from './config-error.ts'
import { nameToBytes, segmentProblem } from '../../shared/file-path.ts'
import { isPostgres, shownDatabase } from './database-location.ts'

const MAX_NAME_BYTES = 255

/** How a setting is written. Every source gives text, so flags, variables and files are read alike. */
export interface Kind<T> {
  /** As shown in the help. */
  readonly label: string
  /** Throws `BadValue` with what is expected. Relative paths start at `cwd`. */
  parse(text: string, cwd: string): T
  /** The text of a number in a JSON or TOML file, if it is not simply its digits. */
  fromNumber?(value: number): string
  /** For display, if a part of it is secret. */
  shown?(text: string): string
}

export const text: Kind<string> = { label: 'TEXT', parse: (value) => value }

export const optionalText: Kind<string | null> = { label: 'TEXT', parse: (value) => (value === '' ? null : value) }

export const path: Kind<string> = {
  label: 'PATH',
  parse: (value, cwd) => absolute(value, cwd) ?? bad('a path'),
}

/** Null when empty. */
export const optionalPath: Kind<string | null> = { label: 'PATH', parse: absolute }

/** The same, or the address of a PostgreSQL database. */
export const optionalDatabase: Kind<string | null> = {
  label: 'PATH|URL',
  parse(value, cwd) {
    if (!isPostgres(value)) return absolute(value, cwd)
    return URL.canParse(value) ? value : bad('an address such as postgres://user:password@host/database, its password percent-encoded')
  },
  shown: shownDatabase,
}

/** A path, the word `off`, or null if empty. */
export const optionalPathOrOff: Kind<string | null> = {
  label: 'PATH|off',
  parse: (value, cwd) => (value === 'off' ? value : absolute(value, cwd)),
}

/** Null when empty; else a path with one `*`, as it was written: a relative one starts at the served folder. */
export const optionalSnapshots: Kind<string | null> = {
  label: 'PATTERN',
  parse(value) {
    if (value === '') return null
    const segments = value.split('/')
    const [before = '', after] = value.split('*')
    const isPattern = after !== undefined && value.indexOf('*') === value.lastIndexOf('*')
    const isFine = isPattern && !value.includes('\0') && !segments.includes('..') && !(before === '' && after === '')
    return isFine ? value : bad('a folder pattern with one *, such as .zfs/snapshot/* or /srv/.snapshots/*/snapshot')
  },
}

export const boolean: Kind<boolean> = {
  label: 'true|false',
  parse(value) {
    if (/^(true|t|1|yes|on)$/i.test(value)) return true
    return /^(false|f|0|no|off|)$/i.test(value) ? false : bad('true or false')
  },
}

export const port: Kind<number> = { label: 'NUMBER', parse: (value) => integer(value, { from: 0, to: 65_535 }) }

export const count: Kind<number> = { label: 'NUMBER', parse: (value) => integer(value, { from: 1, to: 1024 }) }

/** In milliseconds, more than zero. */
export const duration: Kind<number> = {
  label: 'DURATION',
  parse(value) {
    const ms = parseDuration(value)
    return ms !== null && ms > 0 ? ms : bad('a duration such as 2h30m or 45s')
  },
}

/** The same, with zero allowed. */
export const optionalDuration: Kind<number> = {
  label: 'DURATION',
  parse: (value) => parseDuration(value) ?? bad('a duration such as 2h30m or 45s'),
}

/** Permission bits. A number in a file is their value, as with the predecessor; text is octal. */
export const mode: Kind<number> = {
  label: 'MODE',
  parse: (value) => (/^(0o?)?[0-7]{1,3}$/.test(value) ? Number.parseInt(value.replace(/^0o/, ''), 8) : bad('an octal mode such as 0660')),
  fromNumber: (value) => `0o${value.toString(8)}`,
}

/** `''`, or a path that starts with a slash and does not end with one. */
export const baseUrl: Kind<string> = {
  label: 'PATH',
  parse(value) {
    if (value.includes('://')) bad('a path such as /files, without host')
    const segments = value.split('/').filter((segment) => segment !== '')
    const fine = segments.every((segment) => /^[\w.~@-]+$/.test(segment) && !/^\.{1,2}$/.test(segment))
    return fine ? segments.map((segment) => `/${segment}`).join('') : bad('a path of letters, digits and - . _ ~ @')
  },
}

/** A name or an address; empty means every address of this machine. */
export const host: Kind<string> = {
  label: 'ADDRESS',
  parse(value) {
    const bare = value.replace(/^\[(.*)\]$/, '$1')
    return bare === '' || isIP(bare) !== 0 || /^(?!.*\.\.)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(bare)
      ? bare
      : bad('an address or host name, without port')
  },
}

/** Another address to listen on. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** `127.0.0.1:9090`, `[::1]:9090`, or only a port, which means this machine; null if empty. */
export const optionalEndpoint: Kind<Endpoint | null> = {
  label: 'ADDRESS:PORT',
  parse(value, cwd) {
    if (value === '') return null
    const [, name = '', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(value) ?? bad('an address with a port, such as 127.0.0.1:9090')
    return { host: name === '' ? '127.0.0.1' : host.parse(name, cwd), port: port.parse(digits, cwd) }
  },
}

export const logFormat: Kind<'json' | 'text'> = {
  label: 'json|text',
  parse: (value) => (value === 'json' || value === 'text' ? value : bad('json or text')),
}

/** `stdout`, `stderr`, empty for none, or an absolute path. */
export const logTarget: Kind<string> = {
  label: 'stdout|stderr|PATH',
  parse: (value, cwd) => (value === 'stdout' || value === 'stderr' ? value : value === 'off' ? '' : (absolute(value, cwd) ?? '')),
}

/** Networks as `address/prefix`, and `unix` for clients of the socket. */
export const networks: Kind<readonly string[]> = {
  label: 'NETWORK,…',
  parse: (value) => value.split(/[\s,]+/).flatMap((part) => (part === '' ? [] : [network(part)])),
}

/** Origins such as `https://files.example.org`, without path. */
export const origins: Kind<readonly string[]> = {
  label: 'ORIGIN,…',
  parse: (value) => value.split(/[\s,]+/).flatMap((part) => (part === '' ? [] : [originOf(part)])),
}

/** A root besides the main one: a folder of the tree that is another storage. */
export interface RootSpec {
  /** Its folder's name in the top folder. */
  readonly name: string
  readonly kind: 'local'
  /** An absolute path. */
  readonly address: string
  readonly isReadOnly: boolean
}

/** `NAME=PATH`, with `:ro` at the end if nothing in it is to be changed. */
export const roots: Kind<readonly RootSpec[]> = {
  label: 'NAME=PATH[:ro],…',
  parse: (value, cwd) => value.split(',').flatMap((part) => (part.trim() === '' ? [] : [rootSpec(part.trim(), cwd)])),
}

/** A password hash as printed by `satchel hash`. */
export const passwordHash: Kind<string | null> = {
  label: 'HASH',
  parse(value) {
    if (value === '') return null
    return /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(value)
      ? value
      : bad('a bcrypt hash (satchel hash makes one); put a plain password into a file and name it with --password-file')
  },
}

const READ_ONLY = ':ro'

function rootSpec(part: string, cwd: string): RootSpec {
  const [, name = '', written = ''] = /^([^=]*)=(.*)$/s.exec(part) ?? []
  const isReadOnly = written.endsWith(READ_ONLY)
  const address = absolute(isReadOnly ? written.slice(0, -READ_ONLY.length) : written, cwd)
  const isName =
    segmentProblem(name) === null && name.trim() === name && nameToBytes(name).length <= MAX_NAME_BYTES && !/^\.satchel/i.test(name)
  return isName && address !== null
    ? { name, kind: 'local', address, isReadOnly }
    : bad('a list of folders such as photos=/mnt/photos,films=/srv/films:ro')
}

function absolute(value: string, cwd: string): string | null {
  if (value.includes('\0')) bad('a path without NUL')
  return value === '' ? null : resolve(cwd, value)
}

function integer(value: string, { from, to }: { from: number; to: number }): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  return number >= from && number <= to ? number : bad(`a number from ${from} to ${to}`)
}

function originOf(part: string): string {
  const url = URL.parse(part)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash + url.username === ''
  return isOrigin ? url.origin : bad('a list of origins such as https://files.example.org, without a path')
}

function network(part: string): string {
  if (part === 'unix') return part
  const [address = '', prefix] = part.split('/')
  const family = isIP(address)
  const bits = family === 4 ? 32 : 128
  if (family === 0 || (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))) {
    bad('a list of networks such as 10.0.0.0/8, ::1 or unix')
  }
  return `${address}/${prefix ?? bits}`
}

function bad(expected: string): never {
  throw new BadValue(expected)
}

const UNIT_MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 0.001, µs: 0.001, ns: 0.000001 }
/** Timers cannot be set further ahead. */
const MOST_MS = 10 * 365 * 24 * 3_600_000

/** A duration in Go's notation (`2h30m`, `1.5h`, `300ms`), in milliseconds; a plain number is in seconds. Null for anything else. */
export function parseDuration(value: string): number | null {
  if (/^\d+(\.\d+)?$/.test(value)) return limited(Number(value) * 1000)
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/.test(value)) return null
  let ms = 0
  for (const [, number = '', unit = ''] of value.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g))
    ms += Number(number) * (UNIT_MS[unit] ?? 0)
  return limited(ms)
}

function limited(ms: number): number | null {
  return ms <= MOST_MS ? Math.round(ms) : null
}
