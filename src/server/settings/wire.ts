import type { SettingsChange, Settings as WireSettings } from '../../shared/contract/settings.ts'
import { parsePermissions } from '../access/permissions.ts'
import { Hooks, Settings } from './settings.ts'

/** The wire's settings, field by field: what is not named here does not leave (invariant I15). */
export function toWire(settings: Settings): WireSettings {
  return {
    signup: settings.signup,
    hideLoginButton: settings.hideLoginButton,
    createUserDir: settings.createUserDir,
    minimumPasswordLength: settings.minimumPasswordLength,
    userHomeBasePath: settings.userHomeBasePath,
    defaults: settings.defaults,
    authMethod: settings.authMethod,
    rules: settings.rules,
    branding: settings.branding,
    tus: settings.tus,
    shell: settings.shell,
    commands: settings.commands,
    activityDays: settings.activityDays,
    compatibility: settings.compatibility,
  }
}

/** What is stored of them over `before`, which keeps all that the wire cannot write. Zeros and nulls become what they stand for. */
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
    // Ours alone: a client of the predecessor that does not name it does not mean it.
    activityDays: wanted.activityDays ?? before.activityDays,
    compatibility: wanted.compatibility ?? before.compatibility,
  }
}
