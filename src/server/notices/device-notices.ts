import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import { isAppError } from '../../shared/errors.ts'
import { agentFrom } from '../../shared/user-agent.ts'
import { inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { hashOf, newSecret } from '../db/secret.ts'
import { MAIL_JOB, type Mailer, type MakeNotice } from '../mail/mailer.ts'
import type { MailText } from '../mail/texts.ts'
import { createClientLimit } from '../sessions/client-limit.ts'
import type { OnSignIn } from '../sessions/sessions.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { networksOf } from '../users/networks.ts'

export interface DeviceNoticesDeps {
  readonly db: Kysely<Schema>
  readonly settings: SettingsReader
  readonly mailer: Pick<Mailer, 'isOn' | 'queue'>
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** A device that was not seen for so long is new again. */
export const KNOWN_MS = 400 * 24 * 3600_000
const MOST_KNOWN = 100
/** Five mails at once, then one every half an hour: who has the password must not be able to fill the mailbox. */
const SIZE = { burst: 5, perSecond: 1 / 1800 }

/**
 * Mail about sign-ins from devices that are not known. A browser is known by a cookie, and by what it says about itself in the same network; a program by
 * the latter alone. Nothing is remembered where no mail is sent.
 */
export function createDeviceNotices({ db, settings, mailer, clock, log }: DeviceNoticesDeps) {
  const count = createClientLimit({ clock, ...SIZE })

  /** @returns whether it is known, or the first one of the account */
  async function remember(userId: number, keys: readonly string[]): Promise<boolean> {
    const now = clock().getTime()
    return inTransaction(db, async (trx) => {
      const mine = trx.selectFrom('known_devices').where('user_id', '=', userId)
      const known = await mine
        .select(['key_hash'])
        .where('seen_at', '>', now - KNOWN_MS)
        .orderBy('seen_at', 'desc')
        .orderBy('key_hash')
        .execute()
      for (const key of keys)
        await trx
          .insertInto('known_devices')
          .values({ user_id: userId, key_hash: key, seen_at: now })
          .onConflict((conflict) => conflict.columns(['user_id', 'key_hash']).doUpdateSet({ seen_at: now }))
          .execute()
      const surplus = known.slice(MOST_KNOWN).map((row) => row.key_hash)
      if (surplus.length > 0) await trx.deleteFrom('known_devices').where('user_id', '=', userId).where('key_hash', 'in', surplus).execute()
      return known.length === 0 || known.some((row) => keys.includes(row.key_hash))
    })
  }

  const onSignIn: OnSignIn = async ({ id }, { from, web }) => {
    if (!(await mailer.isOn())) return null
    const fresh = web && (from.browser ?? '') === '' ? newSecret() : null
    const browser = fresh ?? (web ? (from.browser ?? '') : '')
    const { kind, name, system } = agentFrom(from.userAgent)
    const network = from.address === null ? '' : networksOf(from.address).own
    const keys = [
      hashOf(`agent ${kind} ${name ?? ''} ${system ?? ''} ${network}`),
      ...(browser === '' ? [] : [hashOf(`browser ${browser}`)]),
    ]
    if (!(await remember(id, keys))) await tell(id, { from, at: clock() })
    return fresh
  }

  async function tell(userId: number, { from, at }: { from: Parameters<OnSignIn>[1]['from']; at: Date }): Promise<void> {
    try {
      count(`user ${userId}`)
    } catch (error) {
      if (isAppError(error, 'too-many-requests')) return
      throw error
    }
    const { name, system } = agentFrom(from.userAgent)
    const { activityAddresses } = await settings.read()
    await mailer.queue('device', userId, {
      data: {
        at: String(at.getTime()),
        agent: [name, system].filter((part) => part !== null).join(' · '),
        address: activityAddresses ? (from.address ?? '') : '',
      },
    })
  }

  const make: MakeNotice = async ({ data, language }) => {
    const { at = '', agent = '', address = '' } = data
    const time = new Intl.DateTimeFormat(language.tag, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
    const isShown = (await settings.read()).activityAddresses
    const facts: { label: MailText; value: string }[] = [
      { label: 'device.time', value: time.format(new Date(Number(at))) },
      { label: 'device.agent', value: agent },
      { label: 'device.address', value: isShown ? address : '' },
    ]
    return { facts: facts.filter(({ value }) => value !== ''), page: '/settings/profile#devices' }
  }

  return {
    onSignIn: (async (account, how) => {
      try {
        return await onSignIn(account, how)
      } catch (error) {
        // Nobody is kept out by a notice.
        log(`notices: ${String(error)}`)
        return null
      }
    }) satisfies OnSignIn,
    make,
    async sweep(): Promise<void> {
      if (!(await settings.read()).activityAddresses) await eraseAddresses(db)
      await db
        .deleteFrom('known_devices')
        .where('seen_at', '<=', clock().getTime() - KNOWN_MS)
        .execute()
    },
  }
}

/** From the mails of the last days, which are kept without their text. */
async function eraseAddresses(db: Kysely<Schema>): Promise<void> {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'task'])
    .where('kind', '=', MAIL_JOB)
    .where('state', 'in', ['done', 'failed'])
    .where('task', 'like', '%"about":"device"%')
    .where('task', 'not like', '%"data":{}%')
    .execute()
  for (const { id, task } of rows)
    await db
      .updateTable('jobs')
      .set({ task: JSON.stringify({ ...z.parse(z.looseObject({}), JSON.parse(task)), data: {} }) })
      .where('id', '=', id)
      .execute()
}
