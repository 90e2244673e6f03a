import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { Hono } from 'hono'
import { settings as calls } from '../../shared/contract/settings.ts'
import { statusResponse } from '../http/errors.ts'
import { type Env, mount } from '../http/mount.ts'
import { checkSettings } from './check.ts'
import type { SettingsStore } from './settings.ts'
import { type Caller, updateSettings } from './update.ts'
import { toWire } from './wire.ts'

export interface SettingsDeps {
  settings: SettingsStore
  /** Fails with `proof-needed` unless the caller proved lately, or proves now, who they are. */
  requireProof: (caller: Caller) => Promise<void>
}

export function mountSettings(app: Hono<Env>, { settings, requireProof }: SettingsDeps): void {
  mount(app, calls.get, async () => toWire(await settings.read()))

  mount(app, calls.update, async ({ body, viewer, peer }) => {
    await checkSettings(body, isFolder)
    await updateSettings(settings, body, { viewer, address: peer, requireProof })
    return statusResponse(200)
  })
}

/** On the machine, where the operator put it; an unreadable place is none. */
async function isFolder(path: string): Promise<boolean> {
  if (!isAbsolute(path) || path.includes('\0')) return false
  return (await stat(path).catch(() => null))?.isDirectory() === true
}
