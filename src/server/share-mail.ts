import { isAppError } from '../shared/errors.ts'
import { clientKeyOf } from './access/viewer.ts'
import type { Mailer } from './mail/mailer.ts'
import { createClientLimit } from './sessions/client-limit.ts'
import type { PeopleSharesDeps } from './shares/people.ts'

export interface ShareMailOptions {
  readonly mailer: Pick<Mailer, 'queue'>
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** Twenty shares at once, then one every five minutes: nobody fills others' mailboxes by sharing and ending shares. */
const SIZE = { burst: 20, perSecond: 1 / 300 }

/** Mails those with a confirmed address that somebody has shared something with them; what it is, the mail does not say. */
export function createShareMail({ mailer, clock, log }: ShareMailOptions): PeopleSharesDeps['tell'] {
  const count = createClientLimit({ clock, ...SIZE })

  async function queueAll(userIds: readonly number[], by: string): Promise<void> {
    for (const userId of userIds) await mailer.queue('shared', userId, { by })
  }

  return (userIds, viewer) => {
    try {
      count(clientKeyOf(viewer))
    } catch (error) {
      if (!isAppError(error, 'too-many-requests')) throw error
      return
    }
    void queueAll(userIds, viewer.username).catch((error: unknown) => log(`mail: ${String(error)}`))
  }
}
