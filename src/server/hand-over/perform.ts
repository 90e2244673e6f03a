import type { Kysely } from 'kysely'
import { detailsOf } from '../../shared/audit-details.ts'
import { AppError, fail, isAppError } from '../../shared/errors.ts'
import { pathFrom } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import { EVERYTHING } from '../access/everything.ts'
import type { Bus } from '../bus/bus.ts'
import { isShared } from '../db/database-kind.ts'
import type { Schema } from '../db/schema.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import { exists } from '../drive/exists.ts'
import type { AttemptResult, Outbox, OutboxJob } from '../jobs/outbox.ts'
import type { OwnerGrantDeps } from '../shares/owner-grant.ts'
import { realScope } from '../shares/shares.ts'
import { createShareStore, type Share } from '../shares/store.ts'
import { accessOf } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import type { Users } from '../users/users.ts'
import { createPassing, type Leaving } from './given-shares.ts'
import { freeFolder, homeOf } from './home.ts'
import { folderOf, type Report, reportOf, type Task, taskOf } from './task.ts'

export interface PerformDeps extends OwnerGrantDeps {
  readonly db: Kysely<Schema>
  readonly users: Pick<Users, 'find' | 'remove'>
  readonly driveFor: DriveFor
  readonly outbox: Pick<Outbox, 'renew'>
  /** Resolves when what a server that died has begun is settled. */
  readonly recovered: () => Promise<void>
  readonly bus: Bus
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** A worker that has not said for this long how far it is, is dead. */
const LEASE_MS = 30_000
const RENEW_MS = 2000
/** Of failures that nobody has to decide about. A kill is none. */
const MOST_ATTEMPTS = 3
/** Other servers may use what they know of an account for this long (`access-changes.ts`). */
const ACCESS_KEPT_MS = 1100

/** Hands over, step by step. Each step can be done again: a kill at any moment loses nothing and repeats nothing. */
export function createPerform(deps: PerformDeps) {
  const { db, users, settings, grantedTo, systemDrive, driveFor, outbox, recovered, bus, clock, log } = deps
  const shares = createShareStore(db)
  const obstacleOf = createPassing(deps)

  /** The successor as they are now. Fails with `access-changed` if they are gone, or were disabled meanwhile. */
  async function successorOf({ successor }: Task): Promise<Account> {
    const account = await users.find(successor.id)
    return account === null || account.disabled ? fail('access-changed', {}) : account
  }

  async function run({ id, ...job }: OutboxJob, stopping: AbortSignal, report: Report): Promise<void> {
    const task = taskOf(job)
    const ended = new AbortController()
    const signal = AbortSignal.any([stopping, ended.signal])
    const save = (): Promise<void> => outbox.renew(id, { report: JSON.stringify(report), forMs: LEASE_MS })
    const look = async (): Promise<void> => {
      await save()
      await successorOf(task)
    }
    const looking = setInterval(() => void look().catch((error: unknown) => ended.abort(error)), RENEW_MS)
    try {
      await save()
      await recovered()
      if (isShared(db)) await Bun.sleep(ACCESS_KEPT_MS)
      const leaver = await users.find(task.user.id)
      if (leaver !== null) {
        await moveFiles({ task, leaver, report, signal, save })
        await passShares({ task, leaver, report, signal, save })
        report.step = 'account'
        await save()
        if (task.account === 'delete') await removeAccount(task)
      }
      report.step = 'end'
    } finally {
      clearInterval(looking)
    }
  }

  interface Step {
    readonly task: Task
    readonly leaver: Account
    readonly report: Report
    readonly signal: AbortSignal
    /** Writes down how far it is. */
    readonly save: () => Promise<void>
  }

  /** The home folder becomes a folder of the successor, never over something that is there. */
  async function moveFiles({ task, leaver, report, signal, save }: Step): Promise<void> {
    if (task.files === 'stay') return
    const home = await homeOf(db, systemDrive, leaver)
    // Missing if it was moved before a kill.
    if (home.state !== 'own') return
    const successor = await successorOf(task)
    const scope = (await realScope(systemDrive, cleanScope(successor.scope))) ?? fail('not-found', {})
    const actor = { ...task.by, via: 'job', group: task.group, addsFor: successor.id } as const
    const drive = driveFor(EVERYTHING, actor)
    for (;;) {
      const isOurs = await isBegun(report, task)
      if (!isOurs) report.folder = await freeFolder(systemDrive, scope, task.folder)
      const target = folderOf(report) ?? fail('not-found', {})
      await save()
      const access = accessOf(successor, await settings.read(), await grantedTo(successor.id))
      if (!access.rules.allows(pathFrom(scope, target) ?? target)) fail('forbidden', { right: 'create' })
      try {
        await drive.move(home.place, target, {
          // What a kill left of a copy to another disk.
          replace: isOurs,
          rename: false,
          signal,
          onTotal: (bytes) => void (report.total = bytes),
          onProgress: (bytes) => void (report.done = bytes),
        })
        return
      } catch (error) {
        if (!(await isBegun(report, task))) report.folder = null
        // Somebody else took the name.
        if (isOurs || !isAppError(error, 'already-exists')) throw error
      }
    }
  }

  /** Whether the new folder is there already, made by this job. */
  async function isBegun(report: Report, { group }: Task): Promise<boolean> {
    const folder = folderOf(report)
    if (folder === null || !(await exists(systemDrive, folder))) return false
    const made = db
      .selectFrom('operations')
      .select('id')
      .where('group_id', '=', group)
      .where('path', '=', folder)
      .where('state', '!=', 'failed')
    return (await made.executeTakeFirst()) !== undefined
  }

  async function passShares({ task, leaver, report, signal, save }: Step): Promise<void> {
    report.step = 'shares'
    report.kept = 0
    await save()
    const moved = folderOf(report)
    const leaving: Leaving = { leaver, successorId: task.successor.id, folder: moved, home: cleanScope(leaver.scope) }
    for (const share of await shares.given(leaver.id, clock())) {
      signal.throwIfAborted()
      await successorOf(task)
      const passes = task.shares === 'pass' && (await obstacleOf(share, leaving)) === null
      if (passes && (await shares.give(share, task.successor.id))) {
        report.passed++
        note(task, share, { owner: task.user.name }, { owner: task.successor.name })
      } else if (task.shares === 'end' || passes || task.rest === 'end' || task.account === 'delete') {
        await shares.remove([share.hash])
        report.ended++
        bus.announce('noted', { kind: 'share-removed', by: task.by, address: task.address, subject: share.place })
      } else report.kept++
      bus.announce('share.changed', share.recipient === '' ? {} : { recipient: share.recipient })
      await save()
    }
  }

  function note({ by, address }: Task, { place }: Share, before: object, after: object): void {
    bus.announce('noted', { kind: 'share-changed', by, address, subject: place, details: detailsOf(before, after) })
  }

  async function removeAccount({ user, by, address }: Task): Promise<void> {
    await users.remove(user.id)
    bus.announce('noted', { kind: 'user-removed', by, address, subject: user.name })
  }

  function noteEnd({ user, successor, by, address }: Task, { folder, passed, ended, kept, error }: Report): void {
    const details = detailsOf(
      {},
      { to: successor.name, ...(folder !== null && { folder }), passed, ended, kept, ...(error !== null && { error }) },
    )
    bus.announce('noted', { kind: 'user-handed-over', by, address, subject: user.name, details })
  }

  return async (job: OutboxJob, stopping: AbortSignal): Promise<AttemptResult> => {
    const report: Report = { ...reportOf(job), error: null }
    const task = taskOf(job)
    const result = (done: boolean, more: Partial<AttemptResult> = {}): AttemptResult => ({ done, report: JSON.stringify(report), ...more })
    try {
      await run(job, stopping, report)
    } catch (error) {
      if (stopping.aborted) return result(false)
      report.error = error instanceof AppError ? error.code : 'unexpected'
      // What a person has to decide about is not tried again.
      const isFinal = error instanceof AppError && !isAppError(error, 'storage-busy')
      if (isFinal || job.attempts >= MOST_ATTEMPTS) noteEnd(task, report)
      if (!isAppError(error)) log(`hand-over: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
      return result(false, { maxAttempts: isFinal ? 1 : MOST_ATTEMPTS })
    }
    noteEnd(task, report)
    return result(true)
  }
}
