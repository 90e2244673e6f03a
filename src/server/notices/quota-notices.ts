import type { Kysely } from 'kysely'
import { subjectFrom } from '../../shared/subject-key.ts'
import type { Schema } from '../db/schema.ts'
import { createOutbox } from '../jobs/outbox.ts'
import { MAIL_JOB, type MakeNotice, type Mailer, noticeTask } from '../mail/mailer.ts'
import { textsFor } from '../mail/texts.ts'
import { levelOf, partOf, type QuotaTeller } from '../quotas/levels.ts'
import type { StoredQuota } from '../quotas/store.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { sizeText } from './size-text.ts'

export interface QuotaNoticesDeps {
  readonly db: Kysely<Schema>
  readonly settings: SettingsReader
  readonly mailer: Pick<Mailer, 'isOn' | 'canTell' | 'wake'>
  readonly findQuota: (subject: string) => Promise<StoredQuota | null>
  readonly clock: () => Date
}

/** Somebody who fills and empties a folder again and again fills no mailbox. */
const SPACING_MS = 3600_000
const MOST_ADMINISTRATORS = 50

/** Mail about quotas: to the person, and to administrators if the settings say so. */
export function createQuotaNotices({ db, settings, mailer, findQuota, clock }: QuotaNoticesDeps) {
  /** Of a deleted group or account it is empty. */
  async function nameOf(subject: string, everybody: string): Promise<string> {
    const { kind, id } = subjectFrom(subject)
    if (kind === 'everybody') return everybody
    const row =
      kind === 'group'
        ? await db.selectFrom('groups').select('name').where('id', '=', id).executeTakeFirst()
        : await db.selectFrom('users').select('username as name').where('id', '=', id).executeTakeFirst()
    return row?.name ?? ''
  }

  const teller: QuotaTeller = {
    isOn: mailer.isOn,
    told: mailer.wake,
    async tell({ subject }, level) {
      const { kind, id } = subjectFrom(subject)
      const others = (await settings.read()).mail.quotas ? (await administrators(db)).filter((one) => kind !== 'user' || one !== id) : []
      const about = level === 100 ? 'quota-full' : 'quota'
      const aboutOthers = level === 100 ? 'quota-other-full' : 'quota-other'
      const wanted: { userId: number; about: typeof about | typeof aboutOthers }[] = []
      if (kind === 'user' && (await mailer.canTell(about, id))) wanted.push({ userId: id, about })
      for (const userId of others) if (await mailer.canTell(aboutOthers, userId)) wanted.push({ userId, about: aboutOthers })
      return async (trx) => {
        const outbox = createOutbox({ db: trx, clock })
        for (const one of wanted) {
          const topic = `${one.about} ${subject} to ${one.userId}`
          const job = { topic, kind: MAIL_JOB, task: noticeTask(one.about, one.userId, { subject }) }
          await outbox.gather(job, { gatherMs: 0, spacingMs: SPACING_MS })
        }
      }
    },
  }

  const make: MakeNotice = async ({ about, data, language }) => {
    const { subject = '' } = data
    const quota = await findQuota(subject)
    const least = about === 'quota-full' || about === 'quota-other-full' ? 100 : 80
    if (quota === null || quota.used === null || levelOf(quota) < least) return null
    const { used, maxBytes, maxFiles } = quota
    const { texts } = textsFor(language.code)
    const count = (files: number) => texts['quota.files'].replace('{count}', new Intl.NumberFormat(language.tag).format(files))
    const isBytes = partOf(used.bytes, maxBytes) >= partOf(used.files, maxFiles)
    const shown = isBytes
      ? { used: sizeText(used.bytes, language.tag), limit: sizeText(maxBytes ?? 0, language.tag) }
      : { used: new Intl.NumberFormat(language.tag).format(used.files), limit: count(maxFiles ?? 0) }
    return { values: { ...shown, name: await nameOf(subject, texts.everybody) } }
  }

  return { teller, make }
}

/** Enabled ones, also those that are it by a group. `perm` is written by `JSON.stringify`, without spaces. */
async function administrators(db: Kysely<Schema>): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('disabled', '=', 0)
    .where((of) =>
      of.or([
        of('perm', 'like', '%"admin":true%'),
        of('id', 'in', (from) =>
          from
            .selectFrom('memberships')
            .innerJoin('groups', 'groups.id', 'memberships.group_id')
            .select('memberships.user_id')
            .where('groups.perm', 'like', '%"admin":true%'),
        ),
      ]),
    )
    .orderBy('id')
    .limit(MOST_ADMINISTRATORS)
    .execute()
  return rows.map(({ id }) => id)
}
