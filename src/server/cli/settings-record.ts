import * as z from 'zod/mini'
import { ConfigError } from '../config/config-error.ts'
import { parsePermissions } from '../access/permissions.ts'
import { Settings } from '../settings/settings.ts'
import { isRecord, recordOr } from './records.ts'

/** Known settings that have no use here, and why. */
const IDLE: ReadonlyMap<string, string> = new Map([
  ['key', 'sessions are rows of the database and not signed with a key'],
  ['fileMode', 'new files get the mode that the umask of the server leaves'],
  ['dirMode', 'new folders get the mode that the umask of the server leaves'],
])

/**
 * The settings of an export, the predecessor's or ours, with the record of its sign-in method. Empty values become what the predecessor treated them
 * as. Throws `ConfigError`.
 */
export function readSettingsRecord(record: Readonly<Record<string, unknown>>, auther: unknown): { taken: Settings; notes: string[] } {
  const defaults = recordOr(record.defaults)
  const tus = recordOr(record.tus)
  const commands = recordOr(record.commands)
  const { header, command, recaptcha } = recordOr(auther)
  const parsed = z.safeParse(Settings, {
    ...withoutEmpty(record, ['userHomeBasePath', 'minimumPasswordLength', 'logoutPage', 'authMethod', 'tus', 'rules', 'shell']),
    commands: withoutEmpty(commands, Object.keys(commands)),
    ...(tus.chunkSize !== undefined && tus.chunkSize !== 0 && { tus }),
    defaults: {
      ...withoutEmpty(defaults, ['viewMode', 'commands']),
      ...(isRecord(defaults.perm) && { perm: parsePermissions(defaults.perm) }),
      sorting: { by: 'name', asc: false, ...withoutEmpty(recordOr(defaults.sorting), ['by']) },
    },
    auth: { ...(typeof header === 'string' && { header }), ...(typeof command === 'string' && { command }) },
    recaptcha: isRecord(recaptcha) ? { host: '', key: '', secret: '', ...recaptcha } : null,
  })
  if (parsed.success) return { taken: parsed.data, notes: unknownNames(record, parsed.data) }
  const issues = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
  throw new ConfigError(`nothing was taken over:\n  ${issues.join('\n  ')}`)
}

/** Without values that mean nothing under these names, so that the default applies. */
function withoutEmpty(record: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean => value === '' || value === 0 || value === null
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => !(names.includes(name) && isEmpty(value))))
}

/** Names in the record, and in records inside it, that we do not have. */
function unknownNames(record: Readonly<Record<string, unknown>>, taken: Settings): string[] {
  const names = missing(record, taken, '').filter((name) => name !== 'hideDotfiles')
  return names.map((name) => `settings.${name} was left out: ${IDLE.get(name) ?? 'it means nothing here'}`)
}

function missing(record: Readonly<Record<string, unknown>>, known: Readonly<Record<string, unknown>>, prefix: string): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (!Object.hasOwn(known, name)) return [`${prefix}${name}`]
    const inside = known[name]
    return isRecord(value) && isRecord(inside) ? missing(value, inside, `${prefix}${name}.`) : []
  })
}
