import type { Kysely } from 'kysely'
import type { PastViewing, Viewing } from '../../shared/contract/viewings.ts'
import { detailsOf } from '../../shared/audit-details.ts'
import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, isWithin } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { accessWhileViewing } from '../access/viewed.ts'
import { performerOf, type Viewer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import { newSecret } from '../db/secret.ts'
import type { Drive } from '../drive/drive.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { accessOf, type GrantedTo, ownRights } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import type { Users } from '../users/users.ts'

export interface ViewingsDeps {
  readonly db: Kysely<Schema>
  readonly users: Pick<Users, 'find'>
  readonly settings: SettingsReader
  readonly grantedTo: GrantedTo
  readonly systemDrive: Pick<Drive, 'place'>
  readonly bus: Bus
  readonly clock: () => Date
  readonly log: (line: string) => void
  /** Fails with `proof-needed` unless the caller has proven their identity recently, or does so now. */
  readonly requireProof: (caller: Caller) => Promise<void>
  /** Which renewals belong to the sign-in of a session; null if it has ended. */
  readonly familyOf: (sessionId: string) => Promise<string | null>
}

export type Viewings = ReturnType<typeof createViewings>

/** Looking takes minutes; a tab that is left open must not look for ever. */
export const VIEWING_MS = 15 * 60_000
const DAY_MS = 24 * 3600_000
/** How long people are told who looked. */
export const TOLD_DAYS = 90
const MOST_TOLD = 100

/**
 * Administrators who look at the files as somebody else, without changing anything. A view belongs to one sign-in, ends with it and by itself, is in the
 * activity log, and is told to the person.
 */
export function createViewings({ db, users, settings, grantedTo, systemDrive, bus, clock, log, requireProof, familyOf }: ViewingsDeps) {
  const now = (): number => clock().getTime()
  const scopeOf = (scope: string): Promise<FilePath | null> => nullOn('not-found', systemDrive.place(cleanScope(scope), 'follow'))

  /** Nobody is looked at as who may do more than the administrator: another administrator, and somebody with a folder beyond the administrator's own. */
  async function accessAs(person: Account, viewer: Viewer): Promise<Access | null> {
    const granted = await grantedTo(person.id)
    if (person.disabled || ownRights(person, granted).admin || !viewer.access.may.admin) return null
    const [theirs, mine] = [await scopeOf(person.scope), await scopeOf(viewer.access.scope)]
    if (theirs === null || mine === null || !isWithin(theirs, mine)) return null
    const access = accessOf(person, await settings.read(), granted)
    return accessWhileViewing({ access, scope: theirs }, { access: viewer.access, scope: mine })
  }

  /** The viewer's own, while it is open. */
  async function openOf(viewer: Viewer, id: string) {
    if (viewer.token !== undefined) return null
    const row = await db.selectFrom('viewings').selectAll().where('id', '=', id).where('ends_at', '>', now()).executeTakeFirst()
    if (row === undefined || row.viewer_id !== viewer.userId || row.family !== (await familyOf(viewer.sessionId))) return null
    const person = await users.find(row.user_id)
    return person === null ? null : { row, person }
  }

  bus.on('user.changed', ({ userId }) => void endOfDisabled(userId).catch((error: unknown) => log(`views: ${String(error)}`)))

  /** Enabled again, somebody is not looked at without being asked for anew. */
  async function endOfDisabled(userId: number | null): Promise<void> {
    const person = userId === null ? null : await users.find(userId)
    if (person?.disabled === true)
      await db.updateTable('viewings').set({ ends_at: now() }).where('user_id', '=', person.id).where('ends_at', '>', now()).execute()
  }

  function note(viewer: Viewer, address: string | null, username: string, [before, after]: readonly [object, object]): void {
    bus.announce('noted', { kind: 'viewed-as', by: performerOf(viewer), address, subject: username, details: detailsOf(before, after) })
  }

  return {
    /** Fails with `not-found`, `forbidden` and `proof-needed`. */
    async begin(userId: number, caller: Caller): Promise<Viewing> {
      const { viewer, address } = caller
      const person = (await users.find(userId)) ?? fail('not-found', {})
      if (userId === viewer.userId || (await accessAs(person, viewer)) === null) fail('forbidden', { right: 'admin' })
      await requireProof(caller)
      const family = (await familyOf(viewer.sessionId)) ?? fail('sign-in-needed', {})
      const at = now()
      const until = at + VIEWING_MS
      const id = newSecret().slice(0, ID_CHARS)
      await db.transaction().execute(async (trx) => {
        await trx.updateTable('viewings').set({ ends_at: at }).where('family', '=', family).where('ends_at', '>', at).execute()
        await trx
          .deleteFrom('viewings')
          .where('ends_at', '<', at - TOLD_DAYS * DAY_MS)
          .execute()
        await trx
          .insertInto('viewings')
          .values({ id, user_id: userId, viewer_id: viewer.userId, viewer_name: viewer.username, family, began_at: at, ends_at: until })
          .execute()
      })
      bus.announce('session.changed', { userId: viewer.userId })
      note(viewer, address, person.username, [{}, { until: new Date(until).toISOString() }])
      return { id, user: { id: userId, name: person.username }, until }
    },

    /** Fails with `not-found` when it has ended. */
    async get(viewer: Viewer, id: string): Promise<Viewing> {
      const { row, person } = (await openOf(viewer, id)) ?? fail('not-found', {})
      if ((await accessAs(person, viewer)) === null) fail('not-found', {})
      return { id, user: { id: person.id, name: person.username }, until: row.ends_at }
    },

    async end(viewer: Viewer, id: string, address: string | null): Promise<void> {
      const open = await openOf(viewer, id)
      if (open === null) return
      await db.updateTable('viewings').set({ ends_at: now() }).where('id', '=', id).execute()
      // What still runs with it ends at its next step.
      bus.announce('session.changed', { userId: viewer.userId })
      note(viewer, address, open.person.username, [{ until: new Date(open.row.ends_at).toISOString() }, {}])
    },

    async ofMe({ userId }: Viewer): Promise<PastViewing[]> {
      const rows = await db
        .selectFrom('viewings')
        .selectAll()
        .where('user_id', '=', userId)
        .where('began_at', '>', now() - TOLD_DAYS * DAY_MS)
        .orderBy('began_at', 'desc')
        .limit(MOST_TOLD)
        .execute()
      return rows.map((row) => ({ by: row.viewer_name, from: row.began_at, until: row.ends_at }))
    },

    /** The access of somebody who looks; null if they may not, or not any more. */
    async open(viewer: Viewer, id: string): Promise<Access | null> {
      const open = await openOf(viewer, id)
      return open === null ? null : accessAs(open.person, viewer)
    },
  }
}

/** Of an id, which is no secret: it opens only for the sign-in that began it. */
const ID_CHARS = 12
