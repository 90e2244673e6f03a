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

/** One setting: everything that parsing, help, `config explain` and the table of docs/operating.md need. */
export interface Key<T> {
  readonly kind: Kind<T>
  /** In the notation of the configuration file. */
  readonly fallback: string
  readonly about: string
  /** One letter. */
  readonly short?: string
  /** Other names, besides those that differ only in case and dashes. */
  readonly aliases?: readonly string[]
  /** Where it may be set; everywhere if absent. */
  readonly from?: readonly Origin[]
  /** Never displayed. */
  readonly secret?: boolean
  /** Must not be in the served folder. */
  readonly private?: boolean
  /** Why a setting of File Browser is accepted but has no effect. */
  readonly withoutEffect?: string
}

/** Every setting, in the order of the help. Names are File Browser's; additional settings come last. */
export const KEYS = {
  config: key(optionalPath, {
    fallback: '',
    short: 'c',
    from: ['flag', 'environment'],
    about: 'configuration file (JSON, TOML or YAML); without it, the first one found in the usual places',
  }),
  root: key(path, { fallback: './files', short: 'r', about: 'folder to serve; the default folder is created if missing' }),
  dataDir: key(path, {
    fallback: './data',
    aliases: ['data'],
    private: true,
    about: 'folder for all other data; created if missing',
  }),
  database: key(optionalDatabase, {
    fallback: '',
    short: 'd',
    private: true,
    about: 'SQLite file, or postgres://user@host/database; if empty, satchel.db in the data folder',
  }),
  address: key(host, { fallback: '127.0.0.1', short: 'a', about: 'address to listen on; empty: all addresses' }),
  port: key(port, { fallback: '8080', short: 'p', about: 'port to listen on; 0: any free port' }),
  baseURL: key(baseUrl, { fallback: '', short: 'b', about: 'URL path prefix, for example /files' }),
  log: key(logTarget, { fallback: 'stdout', short: 'l', about: 'stdout, stderr, a file (rotated at 100 MB), or off' }),
  logFormat: key(logFormat, { fallback: 'json', about: 'json (one object per line), or text (the format of File Browser)' }),
  logAll: key(boolean, { fallback: 'false', about: 'log every request, not only failed ones' }),
  cert: key(optionalPath, { fallback: '', short: 't', about: 'TLS certificate chain (PEM); needs key' }),
  key: key(optionalPath, { fallback: '', short: 'k', private: true, about: 'TLS private key (PEM); needs cert' }),
  disableHsts: key(boolean, { fallback: 'false', about: 'do not send Strict-Transport-Security' }),
  socket: key(optionalPath, { fallback: '', about: 'Unix socket to listen on, instead of address and port' }),
  socketPerm: key(mode, { fallback: '0666', about: 'permissions of the Unix socket' }),
  trustedProxies: key(networks, {
    fallback: '',
    about: 'networks (or unix) whose X-Forwarded-For and X-Forwarded-Proto are trusted',
  }),
  publicAddress: key(origins, {
    fallback: '',
    about: 'address that browsers use, if the proxy does not forward Host, for example https://files.example.org',
  }),
  framingSites: key(origins, { fallback: '', about: 'sites that may embed share pages and shared files in a frame; empty: none' }),
  shutdownGrace: key(optionalDuration, { fallback: '10s', about: 'how long running requests may continue after a stop signal' }),
  metricsAddress: key(optionalEndpoint, {
    fallback: '',
    about: 'separate address for /metrics (OpenMetrics); a port alone means 127.0.0.1; empty: off',
  }),
  cacheDir: key(optionalPathOrOff, {
    fallback: '',
    private: true,
    about: 'folder for the preview cache; if empty, `previews` in the data folder; `off` disables the cache',
  }),
  imageProcessors: key(count, { fallback: '4', aliases: ['imgProcessors'], about: 'number of previews generated in parallel' }),
  disableThumbnails: key(boolean, { fallback: 'false', about: 'do not generate thumbnails' }),
  disablePreviewResize: key(boolean, { fallback: 'false', about: 'show original images instead of resized previews' }),
  disableExec: key(boolean, { fallback: 'true', about: 'disable all commands: hooks, shell and terminal' }),
  execWithoutSandbox: key(boolean, {
    fallback: 'false',
    about: 'if no sandbox works, run commands without one, with all permissions of this server',
  }),
  webhookNetworks: key(networks, {
    fallback: '',
    about: 'private networks that webhooks may reach, for example 192.168.1.10 or 10.0.0.0/8',
  }),
  disableTypeDetectionByHeader: key(boolean, { fallback: 'false', about: 'detect file types by name only, without reading files' }),
  disableImageResolutionCalc: key(boolean, { fallback: 'false', about: 'no effect: listings never compute image sizes' }),
  followExternalSymlinks: key(boolean, {
    fallback: 'false',
    about: 'no effect: links that leave a scope are never followed',
    withoutEffect: 'links that leave a scope are never followed',
  }),
  tokenExpirationTime: key(duration, { fallback: '2h', about: 'how long a session lasts if it is not used' }),
  redisCacheUrl: key(optionalText, {
    fallback: '',
    secret: true,
    about: 'no effect: unfinished uploads are stored in the database',
    withoutEffect: 'unfinished uploads are stored in the database',
  }),
  noauth: key(boolean, { fallback: 'false', about: 'first start only: no sign-in; every visitor is the administrator' }),
  username: key(text, { fallback: 'admin', about: 'first start only: name of the administrator' }),
  password: key(passwordHash, { fallback: '', secret: true, about: 'first start only: bcrypt hash of the password (satchel hash)' }),
  passwordFile: key(optionalPath, { fallback: '', private: true, about: 'first start only: file whose first line is the password' }),
  disableIndex: key(boolean, {
    fallback: 'false',
    about: 'keep no index of names and sizes: searches read the disk, folders show no sizes',
  }),
  searchLines: key(boolean, {
    fallback: 'false',
    about: 'return search results as JSON lines to unrecognised clients too, as front ends of File Browser 2.53 to 2.57 expect',
  }),
  newRoot: key(boolean, {
    fallback: 'false',
    from: ['flag'],
    about: 'serve this folder although its marker (.satchel/installed) is missing',
  }),
  newDatabase: key(boolean, {
    fallback: 'false',
    from: ['flag'],
    about: 'start with a new database although this folder had one that is missing',
  }),
}

export type KeyName = keyof typeof KEYS

export type Values = { readonly [Name in KeyName]: (typeof KEYS)[Name] extends Key<infer T> ? T : never }

export const KEY_NAMES = Object.keys(KEYS).filter(isKeyName)

/** The key with this name, ignoring case, dashes and underscores. */
export function keyNamed(name: string): KeyName | null {
  return BY_NAME.get(plain(name)) ?? null
}

/** A suggestion for a mistyped name. */
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

/** The spelling shown in help; the command line also accepts `--disable-exec` for `--disableExec`. */
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
