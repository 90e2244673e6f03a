import { isDeepStrictEqual } from 'node:util'
import type { SettingsChange } from '../../shared/contract/settings.ts'
import { fail } from '../../shared/errors.ts'
import type { Caller } from '../access/caller.ts'
import type { Settings, SettingsStore } from './settings.ts'
import { fromWire } from './wire.ts'

/** Who may be somebody here, what they see, and what the machine runs for them. Looks and chunk sizes are nobody's danger. */
function sensitivePart({ defaults, branding, ...settings }: Settings) {
  const { signup, createUserDir, userHomeBasePath, minimumPasswordLength, rules, shell, commands, activityDays, compatibility } = settings
  const { scope, perm, commands: allowed } = defaults
  const { files } = branding
  return {
    signup,
    createUserDir,
    userHomeBasePath,
    minimumPasswordLength,
    rules,
    shell,
    commands,
    activityDays,
    compatibility,
    scope,
    perm,
    allowed,
    files,
  }
}

/**
 * Saves what an administrator wants. What is sensitive is told by comparing old and new, never by what the client says (invariant I17).
 * Fails with `proof-needed`, and with `too-many-requests` for somebody who guesses; nothing is changed then.
 */
export async function updateSettings(
  settings: SettingsStore,
  wanted: SettingsChange,
  { viewer, address, requireProof }: Omit<Caller, 'password'> & { requireProof: (caller: Caller) => Promise<void> },
): Promise<void> {
  const isSensitive = (before: Settings, after: Settings) => !isDeepStrictEqual(sensitivePart(before), sensitivePart(after))
  const known = await settings.read()
  const proven = isSensitive(known, fromWire(wanted, known))
  if (proven) await requireProof({ viewer, address, password: wanted.current_password })
  await settings.change(
    (before) => {
      const after = fromWire(wanted, before)
      // Somebody else was faster, and now the same body is a sensitive one.
      return proven || !isSensitive(before, after) ? after : fail('proof-needed', {})
    },
    { id: viewer.userId, name: viewer.username, address },
  )
}
