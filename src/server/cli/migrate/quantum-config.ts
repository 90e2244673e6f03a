import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { ConfigError } from '../../config/config-error.ts'
import { isRecord, recordOr } from '../records.ts'
import { textOf } from './quantum-records.ts'

type Fields = Readonly<Record<string, unknown>>

/** A folder that Quantum serves. */
export interface Source {
  readonly name: string
  readonly path: string
  readonly config: Fields
}

export interface QuantumConfig {
  readonly sources: readonly Source[]
  /** Settings and options as File Browser 2.63 writes them. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly server: Readonly<Record<string, unknown>>
  readonly auther: unknown
  readonly notes: readonly string[]
}

/** What of the file has a counterpart here; anything else is listed. */
const TAKEN =
  /^(server\.(sources|database|cacheDir)|(server|http)\.(port|baseURL|socket|tlsKey|tlsCert|listen|disablePreviews|disablePreviewResize|disableTypeDetectionByHeader)|frontend\.(name|disableUsedPercentage)|auth\.(tokenExpirationHours|adminUsername|adminPassword|key|methods\.(noauth|password\.(enabled|minLength|signup)|proxy\.(enabled|header|logoutRedirectUrl)))|userDefaults\..*(locale|viewMode|singleClick|dateFormat|showHidden|permissions\.(admin|modify|create|delete|download|share)))(\.|$)/
const NEWER_METHODS = ['oidc', 'ldap', 'jwt']

/** The configuration of Quantum, version 0.3 to 2. Throws `ConfigError`. */
export function readQuantumConfig(path: string): QuantumConfig {
  const config = parsedFile(path)
  const { server, http, auth, frontend, userDefaults } = Object.fromEntries(
    Object.entries(config).map(([name, part]) => [name, recordOr(part)]),
  )
  const methods = recordOr(auth?.methods)
  const [password, proxy] = [recordOr(methods.password), recordOr(methods.proxy)]
  const listen = { ...server, ...http }
  const isProxy = proxy.enabled === true
  const unused = NEWER_METHODS.filter((name) => recordOr(methods[name]).enabled === true)
  return {
    sources: sourcesIn(server?.sources, path),
    settings: {
      branding: { name: textOf(frontend?.name), disableUsedPercentage: frontend?.disableUsedPercentage === true },
      signup: password.signup === true,
      ...(typeof password.minLength === 'number' && { minimumPasswordLength: password.minLength }),
      authMethod: methods.noauth === true ? 'noauth' : isProxy ? 'proxy' : 'json',
      ...(isProxy && { logoutPage: textOf(proxy.logoutRedirectUrl) }),
      defaults: defaultsFrom(userDefaults ?? {}),
    },
    server: {
      port: listen.port ?? 80,
      baseURL: textOf(listen.baseURL).replace(/^\/*(.*?)\/*$/, (_, base: string) => (base === '' ? '' : `/${base}`)),
      address: textOf(listen.listen) || '0.0.0.0',
      socket: textOf(listen.socket),
      tlsKey: textOf(listen.tlsKey),
      tlsCert: textOf(listen.tlsCert),
      enableThumbnails: listen.disablePreviews !== true,
      resizePreview: listen.disablePreviewResize !== true,
      typeDetectionByHeader: listen.disableTypeDetectionByHeader !== true,
      enableExec: false,
      tokenExpirationTime: `${typeof auth?.tokenExpirationHours === 'number' ? auth.tokenExpirationHours : 2}h`,
    },
    auther: isProxy ? { header: textOf(proxy.header) } : {},
    notes: [
      ...unused.map((name) => `auth.methods.${name} was left out: set the sign-in up again here`),
      ...leavesOf(config, '').flatMap((name) =>
        TAKEN.test(name) || /^auth\.methods\.(oidc|ldap|jwt)\./.test(name) ? [] : [`${name} was left out: it means nothing here`],
      ),
    ],
  }
}

function parsedFile(path: string): Fields {
  try {
    const config: unknown = parse(readFileSync(path, 'utf8'))
    if (isRecord(config)) return config
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  throw new ConfigError(`${path} is no configuration of FileBrowser Quantum`)
}

function sourcesIn(stored: unknown, file: string): Source[] {
  const sources = (Array.isArray(stored) ? stored : []).filter(isRecord).map(({ path, name, config }) => {
    const place = resolve(textOf(path) || '.')
    return { name: textOf(name) || (place.split('/').at(-1) ?? ''), path: place, config: recordOr(config) }
  })
  if (sources.length === 0) throw new ConfigError(`${file} names no sources`)
  return sources.filter(({ config }) => config.disabled !== true)
}

/** Version 2 groups them. */
function defaultsFrom(stored: Fields): Record<string, unknown> {
  const { listing, ui, account } = stored
  const flat = { ...stored, ...recordOr(listing), ...recordOr(ui), ...recordOr(account) }
  const granted = recordOr(flat.permissions)
  const names = ['create', 'delete', 'download', 'modify', 'share']
  return {
    locale: textOf(flat.locale),
    ...(textOf(flat.viewMode) !== '' && { viewMode: viewModeFrom(textOf(flat.viewMode)) }),
    singleClick: flat.singleClick === true,
    dateFormat: flat.dateFormat === true,
    hideDotfiles: flat.showHidden !== true,
    ...(names.some((name) => Object.hasOwn(granted, name)) && {
      perm: { ...Object.fromEntries(names.map((name) => [name, granted[name] === true])), rename: granted.modify === true },
    }),
  }
}

export function viewModeFrom(stored: string): 'list' | 'mosaic' {
  return ['', 'list', 'compact'].includes(stored) ? 'list' : 'mosaic'
}

/** Names of all values, as `a.b.c`; a list is one value. */
function leavesOf(value: Fields, prefix: string): string[] {
  return Object.entries(value).flatMap(([name, inner]) => (isRecord(inner) ? leavesOf(inner, `${prefix}${name}.`) : [`${prefix}${name}`]))
}
