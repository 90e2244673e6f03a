import { isDeepStrictEqual } from 'node:util'
import type { SettingsChange } from '../../shared/contract/settings.ts'
import { fail } from '../../shared/errors.ts'
import { performerOf } from '../access/viewer.ts'
import type { Caller } from '../access/caller.ts'
import type { Settings } from './settings.ts'
import type { SettingsStore } from './store.ts'
import { fromWire } from './wire.ts'

/** Settings that concern accounts, visibility, and what the machine runs: all but appearance and the sizes of parts of uploads. */
function sensitivePart({
  defaults: { scope, perm, commands: allowed },
  branding: { files },
  hideLoginButton: _button,
  tus: _tus,
  ...rest
}: Settings) {
  return { ...rest, scope, perm, allowed, files }
}

/**
 * Saves an administrator's changes. What is sensitive is found out by comparing old and new values, never by what the client says (invariant I17).
 * Fails with `proof-needed`, and with `too-many-requests` after wrong guesses; nothing is changed then.
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
      // A concurrent change made the same body a sensitive one.
      return proven || !isSensitive(before, after) ? after : fail('proof-needed', {})
    },
    { ...performerOf(viewer), address },
  )
}
