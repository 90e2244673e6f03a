import * as kinds from './kinds.ts'
import { nearest } from './nearest.ts'

export type Origin = 'flag' | 'environment' | 'file'

/** One setting: everything that parsing, help, `config explain` and the table of docs/configuration.md need. */
export interface Key<T> {
  readonly kind: kinds.Kind<T>
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
  config: key(kinds.optionalPath, '', 'configuration file (JSON, TOML or YAML); without it, the first one found in the usual places', {
    short: 'c',
    from: ['flag', 'environment'],
  }),
  root: key(kinds.path, './files', 'folder to serve; the default folder is created if missing', { short: 'r' }),
  dataDir: key(kinds.path, './data', 'folder for all other data; created if missing', { aliases: ['data'], private: true }),
  database: key(kinds.optionalDatabase, '', 'SQLite file, or postgres://user@host/database; if empty, satchel.db in the data folder', {
    short: 'd',
    private: true,
  }),
  address: key(kinds.host, '127.0.0.1', 'address to listen on; empty: all addresses', { short: 'a' }),
  port: key(kinds.port, '8080', 'port to listen on; 0: any free port', { short: 'p' }),
  baseURL: key(kinds.baseUrl, '', 'URL path prefix, for example /files', { short: 'b' }),
  log: key(kinds.logTarget, 'stdout', 'stdout, stderr, a file (rotated at 100 MB), or off', { short: 'l' }),
  logFormat: key(kinds.logFormat, 'json', 'json (one object per line), or text (the format of File Browser)'),
  logAll: key(kinds.boolean, 'false', 'log every request, not only failed ones'),
  cert: key(kinds.optionalPath, '', 'TLS certificate chain (PEM); needs key', { short: 't' }),
  key: key(kinds.optionalPath, '', 'TLS private key (PEM); needs cert', { short: 'k', private: true }),
  disableHsts: key(kinds.boolean, 'false', 'do not send Strict-Transport-Security'),
  socket: key(kinds.optionalPath, '', 'Unix socket to listen on, instead of address and port'),
  socketPerm: key(kinds.mode, '0666', 'permissions of the Unix socket'),
  trustedProxies: key(kinds.networks, '', 'networks (or unix) whose X-Forwarded-For and X-Forwarded-Proto are trusted'),
  publicAddress: key(
    kinds.origins,
    '',
    'address that browsers use, if the proxy does not forward Host, for example https://files.example.org',
  ),
  framingSites: key(kinds.origins, '', 'sites that may embed share pages and shared files in a frame; empty: none'),
  stopDelay: key(kinds.optionalDuration, '0s', 'how long requests are still accepted after a stop signal, while /ready says that it stops'),
  shutdownGrace: key(kinds.optionalDuration, '10s', 'how long running requests may continue after a stop signal'),
  metricsAddress: key(kinds.optionalEndpoint, '', 'separate address for /metrics (OpenMetrics); a port alone means 127.0.0.1; empty: off'),
  cacheDir: key(
    kinds.optionalPathOrOff,
    '',
    'folder for the preview cache; if empty, `previews` in the data folder; `off` disables the cache',
    { private: true },
  ),
  imageProcessors: key(kinds.count, '4', 'number of previews generated in parallel', { aliases: ['imgProcessors'] }),
  disableThumbnails: key(kinds.boolean, 'false', 'do not generate thumbnails'),
  disablePreviewResize: key(kinds.boolean, 'false', 'show original images instead of resized previews'),
  disableExec: key(kinds.boolean, 'true', 'disable all commands: hooks, shell and terminal'),
  execWithoutSandbox: key(kinds.boolean, 'false', 'if no sandbox works, run commands without one, with all permissions of this server'),
  webhookNetworks: key(kinds.networks, '', 'private networks that webhooks may reach, for example 192.168.1.10 or 10.0.0.0/8'),
  disableTypeDetectionByHeader: key(kinds.boolean, 'false', 'detect file types by name only, without reading files'),
  disableImageResolutionCalc: key(kinds.boolean, 'false', 'no effect: listings never compute image sizes'),
  followExternalSymlinks: key(kinds.boolean, 'false', 'no effect: links that leave a scope are never followed', {
    withoutEffect: 'links that leave a scope are never followed',
  }),
  tokenExpirationTime: key(kinds.duration, '2h', 'how long a session lasts if it is not used'),
  redisCacheUrl: key(kinds.optionalText, '', 'no effect: unfinished uploads are stored in the database', {
    secret: true,
    withoutEffect: 'unfinished uploads are stored in the database',
  }),
  noauth: key(kinds.boolean, 'false', 'first start only: no sign-in; every visitor is the administrator'),
  username: key(kinds.text, 'admin', 'first start only: name of the administrator'),
  password: key(kinds.passwordHash, '', 'first start only: bcrypt hash of the password (satchel hash)', { secret: true }),
  passwordFile: key(kinds.optionalPath, '', 'first start only: file whose first line is the password', { private: true }),
  disableIndex: key(kinds.boolean, 'false', 'keep no index of names and sizes: searches read the disk, folders show no sizes'),
  snapshots: key(
    kinds.optionalSnapshots,
    '',
    'where snapshots of the root are, with * for their names, for example /srv/.zfs/snapshot/*; a relative path starts at the root',
  ),
  roots: key(
    kinds.roots,
    '',
    'further folders to serve, each under its name in the top folder, for example photos=/mnt/photos; with :ro at the end nothing in it can be changed',
  ),
  searchLines: key(
    kinds.boolean,
    'false',
    'return search results as JSON lines to unrecognised clients too, as front ends of File Browser 2.53 to 2.57 expect',
  ),
  newRoot: key(kinds.boolean, 'false', 'serve this folder although its marker (.satchel/installed) is missing', { from: ['flag'] }),
  newDatabase: key(kinds.boolean, 'false', 'start with a new database although this folder had one that is missing', { from: ['flag'] }),
}

export type KeyName = keyof typeof KEYS

export type Values = { readonly [Name in KeyName]: (typeof KEYS)[Name] extends Key<infer T> ? T : never }

export const KEY_NAMES = Object.keys(KEYS).filter(isKeyName)

/** The key with this name, ignoring case, dashes and underscores. */
export function keyNamed(name: string): KeyName | null {
  return BY_NAME.get(plain(name)) ?? null
}

export function keyLike(name: string): KeyName | null {
  return nearest(name, KEY_NAMES)
}

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

function key<T>(kind: kinds.Kind<T>, fallback: string, about: string, more: Omit<Key<T>, 'kind' | 'fallback' | 'about'> = {}): Key<T> {
  return { kind, fallback, about, ...more }
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
