import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import type { Schema } from '../db/schema.ts'
import { hashOf, newSecret } from '../db/secret.ts'
import { loadSetting, saveSetting } from './store.ts'

/** The key under which the one current pass is stored. */
const KEY = 'doctor'
const LIFE_MS = 60_000
const Pass = z.object({ hash: z.string(), until: z.number() })

/** A secret, valid for a minute, by which `satchel doctor` may ask a running server how its requests arrive. */
export async function issueDoctorPass(db: Kysely<Schema>, now: Date): Promise<string> {
  const secret = newSecret()
  await saveSetting(db, KEY, JSON.stringify({ hash: hashOf(secret), until: now.getTime() + LIFE_MS }))
  return secret
}

export async function endDoctorPass(db: Kysely<Schema>): Promise<void> {
  await db.deleteFrom('settings').where('key', '=', KEY).execute()
}

export async function isDoctorPass(db: Kysely<Schema>, secret: string, now: Date): Promise<boolean> {
  const stored = await loadSetting(db, KEY)
  if (stored === null) return false
  const { hash, until } = Pass.parse(JSON.parse(stored))
  return hash === hashOf(secret) && now.getTime() < until
}
