import type { Kysely } from 'kysely'
import type { Belongings, GivenShare, HandOverProblem } from '../../shared/contract/hand-over.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, isWithin, pathFrom, placeUnder } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import { subjectFrom, subjectKey } from '../../shared/subject-key.ts'
import type { Access } from '../access/access.ts'
import { isAtOrBelow } from '../db/at-or-below.ts'
import type { Schema } from '../db/schema.ts'
import { createQuotaStore } from '../quotas/store.ts'
import type { OwnerGrantDeps } from '../shares/owner-grant.ts'
import { createPeopleStore } from '../shares/people-store.ts'
import { realScope } from '../shares/shares.ts'
import { createShareStore, type Share } from '../shares/store.ts'
import { accessOf } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import { createPassing } from './given-shares.ts'
import { folderName, freeFolder, type Home, homeOf } from './home.ts'

export interface BelongingsDeps extends OwnerGrantDeps {
  readonly db: Kysely<Schema>
  readonly clock: () => Date
}

/** Counting a home folder may take this long. */
const COUNT_MS = 4000
const SHOWN = 200

export function createBelongings(deps: BelongingsDeps) {
  const { db, clock, settings, grantedTo, systemDrive } = deps
  const [shares, people, quotas] = [createShareStore(db), createPeopleStore(db), createQuotaStore(db)]
  const obstacleOf = createPassing(deps)

  const accessFor = async (account: Account): Promise<Access> => accessOf(account, await settings.read(), await grantedTo(account.id))

  /** What is in the home folder, and what of it others will see. */
  async function counted({ place, state }: Home, leaver: Account, next: { access: Access; folder: FilePath } | null) {
    const sum = { files: 0, bytes: 0, hidden: 0, revealed: 0, isCounted: true }
    if (state !== 'own') return sum
    const { rules } = await accessFor(leaver)
    const until = performance.now() + COUNT_MS
    for await (const { path, stat } of systemDrive.walk(place)) {
      if (performance.now() > until) return { ...sum, isCounted: false }
      sum.files++
      if (stat.kind === 'file') sum.bytes += stat.size
      const inner = pathFrom(place, path)
      if (next === null || inner === null) continue
      const isShown = next.access.rules.allows(placeUnder(next.folder, inner))
      if (!isShown) sum.hidden++
      else if (!rules.allows(inner)) sum.revealed++
    }
    return sum
  }

  async function named(given: readonly { share: Share; obstacle: GivenShare['obstacle'] }[]): Promise<GivenShare[]> {
    const names = await people.names()
    return given.map(({ share, obstacle }) => {
      const { kind } = subjectFrom(share.recipient)
      if (share.recipient === '') return { kind: 'link', path: share.place, name: share.title, obstacle }
      return { kind: kind === 'group' ? kind : 'user', path: share.place, name: names.get(share.recipient) ?? '', obstacle }
    })
  }

  const count = async (rows: Promise<{ count: number | string } | undefined>): Promise<number> => Number((await rows)?.count ?? 0)

  /** What other tables have. */
  async function others(leaver: Account, { place, state }: Home) {
    const own = (table: 'api_tokens' | 'sessions' | 'trusted_devices') =>
      count(
        db
          .selectFrom(table)
          .select((of) => of.fn.countAll<number | string>().as('count'))
          .where('user_id', '=', leaver.id)
          .executeTakeFirst(),
      )
    const trash = await db
      .selectFrom('operations')
      .select((of) => [of.fn.countAll<number | string>().as('count'), of.fn.sum<number | string | null>('size').as('bytes')])
      .where('user_id', '=', leaver.id)
      .where('kind', '=', 'delete')
      .where('state', '=', 'done')
      .executeTakeFirst()
    const versions = db
      .selectFrom('versions')
      .select((of) => of.fn.countAll<number | string>().as('count'))
      .where(isAtOrBelow(place, 'path'))
    const grants = db
      .selectFrom('grants')
      .select((of) => of.fn.countAll<number | string>().as('count'))
      .where('subject', '=', subjectKey({ kind: 'user', id: leaver.id }))
    const quota = await quotas.find(subjectKey({ kind: 'user', id: leaver.id }))
    const { groups } = await grantedTo(leaver.id)
    const keys = [subjectKey({ kind: 'user', id: leaver.id }), ...groups.map(({ id }) => subjectKey({ kind: 'group', id }))]
    return {
      received: (await people.received(keys, { userId: leaver.id, now: clock() })).length,
      roles: await count(grants.executeTakeFirst()),
      tokens: await own('api_tokens'),
      sessions: await own('sessions'),
      devices: await own('trusted_devices'),
      trash: { count: Number(trash?.count ?? 0), bytes: Number(trash?.bytes ?? 0) },
      versions: state === 'own' && place.isWellFormed() ? await count(versions.executeTakeFirst()) : 0,
      groups: groups.map(({ name }) => name),
      quota: { bytes: quota?.maxBytes ?? null, files: quota?.maxFiles ?? null },
    }
  }

  /** Whether a quota of the successor has no room for this; what it counts already is not added. */
  async function hasNoRoom(successor: Account, home: Home, { bytes, files }: { bytes: number; files: number }): Promise<boolean> {
    const holding = await quotas.holding([subjectKey({ kind: 'user', id: successor.id })])
    return holding.some(({ quota: { maxBytes, maxFiles, used, folders }, reserved }) => {
      const isThere = pathsOf(folders).some((folder) => isWithin(home.place, folder))
      if (used === null || isThere) return false
      const isFull = (most: number | null, now: number, more: number): boolean => most !== null && more > 0 && now + more > most
      // The new folder counts as well.
      return isFull(maxBytes, used.bytes + reserved.bytes, bytes) || isFull(maxFiles, used.files + reserved.files, files + 1)
    })
  }

  /** The new folder, from the root of the storage and as the successor sees it; null if the successor has no folder. */
  async function folderFor(leaver: Account, successor: Account, asked: string) {
    const scope = await realScope(systemDrive, cleanScope(successor.scope))
    if (scope === null) return null
    const place = await freeFolder(systemDrive, scope, folderName(asked, leaver, clock()))
    return { place, folder: pathFrom(scope, place) ?? place }
  }

  async function problemsOf(leaver: Account, successor: Account, asked: string) {
    const home = await homeOf(db, systemDrive, leaver)
    const next = home.state === 'own' ? await folderFor(leaver, successor, asked) : null
    const access = await accessFor(successor)
    const sum = await counted(home, leaver, next && { access, folder: next.folder })
    const problems: HandOverProblem[] = []
    if (successor.disabled) problems.push('disabled')
    if (home.state === 'own') {
      if (next === null) problems.push('no-folder')
      else if (!access.rules.allows(next.folder)) problems.push('hidden')
      if (await hasNoRoom(successor, home, sum)) problems.push('no-room')
    }
    return { home, folder: next?.place ?? null, sum, problems }
  }

  return {
    /** @param successor null if nobody is chosen yet. Fails with `invalid-input` for a folder that can have no such name. */
    async preview(leaver: Account, successor: Account | null, asked: string): Promise<Belongings> {
      const { home, folder, sum, problems } =
        successor === null
          ? await homeOf(db, systemDrive, leaver).then(async (own) => ({
              home: own,
              folder: null,
              sum: await counted(own, leaver, null),
              problems: [],
            }))
          : await problemsOf(leaver, successor, asked)
      const given: { share: Share; obstacle: GivenShare['obstacle'] }[] = []
      for (const share of await shares.given(leaver.id, clock())) {
        const leaving = { leaver, successorId: successor?.id ?? 0, folder, home: home.place }
        given.push({ share, obstacle: successor === null ? null : await obstacleOf(share, leaving) })
      }
      return {
        home: { path: home.place, state: home.state, ...sum },
        folder,
        problems,
        shares: await named(given.slice(0, SHOWN)),
        given: given.length,
        passing: given.filter(({ obstacle }) => obstacle === null).length,
        ...(await others(leaver, home)),
      }
    },

    /** Fails with `invalid-input` if this cannot be handed over to this account. */
    async require(leaver: Account, successor: Account, { files, folder }: { files: 'move' | 'stay'; folder: string }): Promise<void> {
      if (successor.id === leaver.id) fail('invalid-input', { issues: ['to: the same account'] })
      const { problems } = await problemsOf(leaver, successor, folder)
      const found = files === 'move' ? problems : problems.filter((problem) => problem === 'disabled')
      if (found.length > 0) fail('invalid-input', { issues: found.map((problem) => `to: ${problem}`) })
    },
  }
}

export type BelongingsService = ReturnType<typeof createBelongings>

/** As `QuotaMaps` writes them. */
function pathsOf(folders: string): FilePath[] {
  const parsed: unknown = folders === '' ? [] : JSON.parse(folders)
  return Array.isArray(parsed) ? parsed.filter((one): one is FilePath => typeof one === 'string') : []
}
