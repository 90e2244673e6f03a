import { settings as calls } from '../../shared/contract/settings.ts'
import type { Caller } from '../access/caller.ts'
import { statusResponse } from '../http/errors.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { checkSettings } from './check.ts'
import { isFolder } from './is-folder.ts'
import type { SettingsStore } from './store.ts'
import { updateSettings } from './update.ts'
import { toWire } from './wire.ts'

export interface SettingsDeps {
  settings: SettingsStore
  /** Fails with `proof-needed` unless the caller has proven their identity recently, or does so now. */
  requireProof: (caller: Caller) => Promise<void>
}

export function mountSettings(app: Router, { settings, requireProof }: SettingsDeps): void {
  mount(app, calls.get, async () => toWire(await settings.read()))

  mount(app, calls.update, async ({ body, viewer, peer }) => {
    await checkSettings(body, isFolder)
    await updateSettings(settings, body, { viewer, address: peer, requireProof })
    return statusResponse(200)
  })
}
