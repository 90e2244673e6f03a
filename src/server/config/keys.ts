import {
  baseUrl,
  boolean,
  count,
  duration,
  host,
  type Kind,
  logFormat,
  logTarget,
  mode,
  networks,
  optionalDatabase,
  optionalDuration,
  optionalEndpoint,
  optionalPath,
  optionalPathOrOff,
  optionalText,
  origins,
  passwordHash,
  path,
  port,
  text,
} from './kinds.ts'
import { nearest } from './nearest.ts'

export type Origin = 'flag' | 'environment' | 'file'

/** One setting: everything that parsing, help, `config explain` and the table of docs/operating.md need to know. */
export interface Key<T> {
  readonly kind: Kind<T>
  /** Written as an operator would. */
  readonly fallback: string
  readonly about: string
  /** One letter. */
  readonly short?: string
  /** Other names, besides those that differ in case and dashes only. */
  readonly aliases?: readonly string[]
  /** Where it may be set; everywhere when not said. */
  readonly from?: readonly Origin[]
  /** Never shown. */
  readonly secret?: boolean
  /** Must not lie in the served folder. */
  readonly private?: boolean
  /** Accepted for the predecessor's sake, and why it does nothing (decision 17). */
  readonly withoutEffect?: string
}

/** Every setting, in the order of the help. Names are the predecessor's; those it did not have stand last. */
export const KEYS = {
  config: key(optionalPath, {
    fallback: '',
    short: 'c',
    from: ['flag', 'environment'],
    about: 'configuration file (JSON, TOML or YAML); else the first that is found',
  }),
  root: key(path, { fallback: './files', short: 'r', about: 'the folder that is served; the default is created' }),
  dataDir: key(path, {
    fallback: './data',
    aliases: ['data'],
    private: true,
    about: 'folder for everything that is kept besides the files; created',
  }),
  database: key(optionalDatabase, {
    fallback: '',
    short: 'd',
    private: true,
    about: 'the SQLite file, satchel.db in the data folder when empty; or postgres://user@host/database',
  }),
  address: key(host, { fallback: '127.0.0.1', short: 'a', about: 'address to listen on; empty for all' }),
  port: key(port, { fallback: '8080', short: 'p', about: 'port to listen on; 0 for any that is free' }),
  baseURL: key(baseUrl, { fallback: '', short: 'b', about: 'path under which everything is served, e.g. /files' }),
  log: key(logTarget, { fallback: 'stdout', short: 'l', about: 'stdout, stderr, a file (rotated at 100 MB), or off' }),
  logFormat: key(logFormat, { fallback: 'json', about: 'json, one object a line, or text, as the predecessor wrote it' }),
  logAll: key(boolean, { fallback: 'false', about: 'log every request, not only those that failed' }),
  cert: key(optionalPath, { fallback: '', short: 't', about: 'TLS certificate chain (PEM); needs key' }),
  key: key(optionalPath, { fallback: '', short: 'k', private: true, about: 'TLS private key (PEM); needs cert' }),
  disableHsts: key(boolean, { fallback: 'false', about: 'do not have browsers insist on TLS (Strict-Transport-Security)' }),
  socket: key(optionalPath, { fallback: '', about: 'unix socket to listen on, instead of address and port' }),
  socketPerm: key(mode, { fallback: '0666', about: 'permissions of the unix socket' }),
  trustedProxies: key(networks, {
    fallback: '',
    about: 'networks (or unix) whose X-Forwarded-For and X-Forwarded-Proto are believed',
  }),
  publicAddress: key(origins, {
    fallback: '',
    about: 'where browsers reach this server, if the proxy does not pass on Host, such as https://files.example.org',
  }),
  framingSites: key(origins, { fallback: '', about: 'sites that may show share pages and shared files in a frame; none when empty' }),
  shutdownGrace: key(optionalDuration, { fallback: '10s', about: 'how long running transfers may go on after a stop' }),
  metricsAddress: key(optionalEndpoint, {
    fallback: '',
    about: 'where /metrics (OpenMetrics) is served, never on the public address; a port alone is 127.0.0.1; off when empty',
  }),
  cacheDir: key(optionalPathOrOff, {
    fallback: '',
    private: true,
    about: 'folder for kept previews; `previews` in the data folder when empty; `off` keeps none',
  }),
  imageProcessors: key(count, { fallback: '4', aliases: ['imgProcessors'], about: 'previews made at the same time' }),
  disableThumbnails: key(boolean, { fallback: 'false', about: 'make no thumbnails' }),
  disablePreviewResize: key(boolean, { fallback: 'false', about: 'show images as they are, not resized' }),
  disableExec: key(boolean, { fallback: 'true', about: 'no command runs, neither hooks nor the shell' }),
  execWithoutSandbox: key(boolean, {
    fallback: 'false',
    about: 'where no sandbox works: run commands all the same, with the rights of this server and in sight of all it sees',
  }),
  webhookNetworks: key(networks, {
    fallback: '',
    about: 'networks that webhooks may reach although they are not public, such as 192.168.1.10 or 10.0.0.0/8',
  }),
  disableTypeDetectionByHeader: key(boolean, { fallback: 'false', about: 'tell types by name only, without a look into files' }),
  disableImageResolutionCalc: key(boolean, { fallback: 'false', about: 'accepted; image sizes are not computed for listings anyway' }),
  followExternalSymlinks: key(boolean, {
    fallback: 'false',
    about: 'accepted without effect: links that leave a scope are never followed',
    withoutEffect: 'links that leave a scope are never followed',
  }),
  tokenExpirationTime: key(duration, { fallback: '2h', about: 'how long a session lasts without renewal' }),
  redisCacheUrl: key(optionalText, {
    fallback: '',
    secret: true,
    about: 'accepted without effect: unfinished uploads are kept in the database',
    withoutEffect: 'unfinished uploads are kept in the database',
  }),
  noauth: key(boolean, { fallback: 'false', about: 'first start only: nobody signs in, everybody is the administrator' }),
  username: key(text, { fallback: 'admin', about: 'first start only: name of the administrator' }),
  password: key(passwordHash, { fallback: '', secret: true, about: 'first start only: bcrypt hash of the password (satchel hash)' }),
  passwordFile: key(optionalPath, { fallback: '', private: true, about: 'first start only: file with the password on its first line' }),
  disableIndex: key(boolean, {
    fallback: 'false',
    about: 'keep no index of names and sizes: searches walk the disk, folders show no sizes',
  }),
  searchLines: key(boolean, {
    fallback: 'false',
    about: 'search answers lines also to clients that are not recognised, as front ends from 2.53 to 2.57 expect',
  }),
  newRoot: key(boolean, {
    fallback: 'false',
    from: ['flag'],
    about: 'serve this folder although it was served before and its mark is gone',
  }),
  newDatabase: key(boolean, { fallback: 'false', from: ['flag'], about: 'start anew although this folder had a database that is gone' }),
}

export type KeyName = keyof typeof KEYS

export type Values = { readonly [Name in KeyName]: (typeof KEYS)[Name] extends Key<infer T> ? T : never }

export const KEY_NAMES = Object.keys(KEYS).filter(isKeyName)

/** The key a name means, whatever its case, dashes and underscores. */
export function keyNamed(name: string): KeyName | null {
  return BY_NAME.get(plain(name)) ?? null
}

/** The one a mistyped name was perhaps meant to be. */
export function keyLike(name: string): KeyName | null {
  return nearest(name, KEY_NAMES)
}

/** Whether a setting may be given there. */
export function isFrom(name: KeyName, origin: Origin): boolean {
  return keyOf(name).from?.includes(origin) ?? true
}

/** A row of the table, whatever its kind. */
export function keyOf(name: KeyName): Key<unknown> {
  return KEYS[name]
}

/** As it stands on the command line: `--disable-exec` and `--disableExec` are both read, this one is shown. */
export function flagName(name: KeyName): string {
  return name === 'passwordFile' || name === 'newDatabase' || name === 'newRoot' ? `--${snake(name, '-').toLowerCase()}` : `--${name}`
}

/** `baseURL` → `BASE_URL`. */
export function variableName(name: KeyName): string {
  return snake(name, '_').toUpperCase()
}

function key<T>(kind: Kind<T>, rest: Omit<Key<T>, 'kind'>): Key<T> {
  return { kind, ...rest }
}

function isKeyName(name: string): name is KeyName {
  return Object.hasOwn(KEYS, name)
}

function snake(name: string, separator: string): string {
  return name.replace(/([a-z])([A-Z])/g, `$1${separator}$2`)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

const BY_NAME = new Map(KEY_NAMES.flatMap((name) => [name, ...(keyOf(name).aliases ?? [])].map((alias) => [plain(alias), name] as const)))
