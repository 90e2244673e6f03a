import { type SettingsChange, Settings as WireSettings } from '../../shared/contract/settings.ts'
import { parsePermissions } from '../access/permissions.ts'
import { Hooks, Settings } from './settings.ts'

/** The settings in the API; only fields of its schema are ever returned (invariant I15). */
export function toWire(settings: Settings): WireSettings {
  return WireSettings.parse(settings)
}

/** What is stored over `before`, which keeps everything that the API cannot write. Zeros and nulls become what they stand for. */
export function fromWire({ current_password: _proof, ...wanted }: SettingsChange, before: Settings): Settings {
  const { perm, viewMode, sorting, commands } = wanted.defaults
  return {
    ...before,
    ...wanted,
    authMethod: before.authMethod,
    defaults: {
      ...wanted.defaults,
      perm: parsePermissions(perm),
      viewMode: viewMode === 'list' ? viewMode : 'mosaic',
      sorting: { by: sorting.by || 'name', asc: sorting.asc },
      commands: commands ?? [],
    },
    minimumPasswordLength: wanted.minimumPasswordLength || 12,
    userHomeBasePath: wanted.userHomeBasePath || '/users',
    tus: wanted.tus.chunkSize === 0 ? Settings.parse({}).tus : wanted.tus,
    rules: wanted.rules ?? [],
    shell: wanted.shell ?? [],
    commands: Hooks.parse(wanted.commands ?? {}),
    // Additional fields: a client of the predecessor does not send them, and does not mean to change them.
    activityDays: wanted.activityDays ?? before.activityDays,
    activityAddresses: wanted.activityAddresses ?? before.activityAddresses,
    trashDays: wanted.trashDays ?? before.trashDays,
    trashShare: wanted.trashShare ?? before.trashShare,
    versionDays: wanted.versionDays ?? before.versionDays,
    versionShare: wanted.versionShare ?? before.versionShare,
    secondFactorFor: wanted.secondFactorFor ?? before.secondFactorFor,
    compatibility: wanted.compatibility ?? before.compatibility,
    webdav: wanted.webdav ?? before.webdav,
  }
}
