import { BadValue } from '../config/config-error.ts'
import { type KeyName, keyOf } from '../config/settings-table.ts'
import type { Settings } from '../settings/settings.ts'
import type { ServerSettings } from './command.ts'

/** The predecessor's names of options that differ from ours; those with `not` mean the opposite. */
const OURS: Readonly<Record<string, { readonly key: KeyName; readonly not?: true }>> = {
  root: { key: 'root' },
  baseURL: { key: 'baseURL' },
  socket: { key: 'socket' },
  tlsKey: { key: 'key' },
  tlsCert: { key: 'cert' },
  port: { key: 'port' },
  address: { key: 'address' },
  log: { key: 'log' },
  tokenExpirationTime: { key: 'tokenExpirationTime' },
  enableThumbnails: { key: 'disableThumbnails', not: true },
  resizePreview: { key: 'disablePreviewResize', not: true },
  enableExec: { key: 'disableExec', not: true },
  typeDetectionByHeader: { key: 'disableTypeDetectionByHeader', not: true },
}
/** Known, but without effect here. */
const IDLE: ReadonlySet<string> = new Set(['authHook', 'imageResolutionCalculation', 'followExternalSymlinks'])

/** The options of our server in the predecessor's form. */
export function serverBlock(settings: ServerSettings): Record<string, unknown> {
  const values = Object.entries(OURS).map(([name, { key, not }]) => [name, not === true ? settings[key] !== true : (settings[key] ?? '')])
  return {
    ...Object.fromEntries(values),
    port: String(settings.port),
    tokenExpirationTime: `${settings.tokenExpirationTime / 1000}s`,
    imageResolutionCalculation: false,
    followExternalSymlinks: false,
  }
}

export function autherOf({ authMethod, auth, recaptcha }: Settings): Record<string, unknown> {
  if (authMethod === 'proxy') return { header: auth.header }
  if (authMethod === 'hook') return { command: auth.command }
  return authMethod === 'json' ? { recaptcha } : {}
}

/** Such a block in our terms, without our defaults, and what of it cannot be used. */
export function serverOptions(block: Readonly<Record<string, unknown>>): { options: ReadonlyMap<KeyName, string>; notes: string[] } {
  const options = new Map<KeyName, string>()
  const notes: string[] = []
  // 2.17 stored its switches as false in any case.
  const hasSwitches = Object.hasOwn(block, 'tokenExpirationTime')
  for (const [name, value] of Object.entries(block)) {
    const ours = OURS[name]
    if (ours === undefined) {
      if (!IDLE.has(name)) notes.push(`server.${name} means nothing here and was left out`)
      continue
    }
    if (ours.not === true && !hasSwitches) continue
    const text = ours.not === true ? String(value !== true) : typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    if (text === '' || text === keyOf(ours.key).fallback) continue
    if (isValue(ours.key, text)) options.set(ours.key, text)
    else notes.push(`server.${name}: ${JSON.stringify(text)} cannot be used here and was left out`)
  }
  const root = options.get('root')
  if (root !== undefined && !root.startsWith('/'))
    notes.push(`server.root ${JSON.stringify(root)} was relative to where File Browser was started`)
  return { options, notes }
}

function isValue(key: KeyName, text: string): boolean {
  try {
    keyOf(key).kind.parse(text, '/')
    return true
  } catch (error) {
    if (error instanceof BadValue) return false
    throw error
  }
}
