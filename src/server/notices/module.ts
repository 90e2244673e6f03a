import type { Kysely } from 'kysely'
import { inScope } from '../access/access.ts'
import type { Schema } from '../db/schema.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import type { Observer } from '../drive/observed-drive.ts'
import { placeUnder } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import type { Choices } from '../mail/choices.ts'
import type { MakeNotice, Mailer } from '../mail/mailer.ts'
import type { NoticeAbout } from '../mail/message.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { GrantedTo } from '../users/access-of.ts'
import { createArrivals } from './arrivals.ts'
import { createArrivedNotice } from './arrived-notice.ts'
import { createDeviceNotices } from './device-notices.ts'
import { createQuotaNotices, type QuotaNoticesDeps } from './quota-notices.ts'

export interface NoticesModuleOptions extends Pick<QuotaNoticesDeps, 'findQuota'> {
  readonly db: Kysely<Schema>
  readonly mailer: Mailer
  readonly choices: Choices
  readonly settings: SettingsReader
  readonly grantedTo: GrantedTo
  readonly driveFor: DriveFor
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** Mail about what people may want to know: files that arrived, quotas, new devices. Where no mail is sent, nothing is written down. */
export function createNoticesModule(options: NoticesModuleOptions) {
  const { mailer, choices } = options
  const arrivals = createArrivals(options)
  const quotas = createQuotaNotices(options)
  const devices = createDeviceNotices(options)
  const makers: Readonly<Record<NoticeAbout, MakeNotice>> = {
    arrived: createArrivedNotice({ ...options, arrivals }),
    quota: quotas.make,
    'quota-full': quotas.make,
    'quota-other': quotas.make,
    'quota-other-full': quotas.make,
    device: devices.make,
  }
  mailer.onNotice((asked) => makers[asked.about](asked))

  /** Files that visitors of a link, and recipients of a share, upload. */
  const observer: Observer = {
    async after(operation) {
      const { access } = operation
      if (operation.kind !== 'upload' || operation.folder || access.given === undefined) return
      const { by, share, owner: userId } = access.given
      const kind = by === 'link' ? 'arrived' : 'arrived-people'
      if (!(await mailer.canTell('arrived', userId)) || !(await choices.isWanted(userId, kind))) return
      await arrivals.add({ userId, kind, share, place: placeUnder(cleanScope(access.scope), inScope(access, operation.path)) })
    },
  }

  return {
    observer,
    quotaTeller: quotas.teller,
    onSignIn: devices.onSignIn,
    sweeps: { arrivals: arrivals.sweep, devices: devices.sweep },
  }
}
