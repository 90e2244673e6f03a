import { randomUUID } from 'node:crypto'
import type { Belongings, HandOver, HandOverChoice } from '../../shared/contract/hand-over.ts'
import { fail } from '../../shared/errors.ts'
import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { Caller } from '../access/caller.ts'
import { performerOf } from '../access/viewer.ts'
import type { Outbox, OutboxJob } from '../jobs/outbox.ts'
import type { Account } from '../users/account.ts'
import type { Management } from '../users/manage.ts'
import { type BelongingsDeps, createBelongings } from './belongings.ts'
import { folderName } from './home.ts'
import { HAND_OVER_JOB, type Task, taskOf, toWire } from './task.ts'

export interface HandOversDeps extends BelongingsDeps {
  readonly management: Pick<Management, 'change'>
  readonly outbox: Pick<Outbox, 'add' | 'latest'>
  /** Fails with `proof-needed` unless the caller has proven their identity recently, or does so now. */
  readonly requireProof: (caller: Caller) => Promise<void>
  /** Looks for jobs that are due. */
  readonly wake: () => void
}

export type HandOvers = ReturnType<typeof createHandOvers>

/** So many are looked through for the last one of an account. */
const MOST_LOOKED_AT = 1000

/** What administrators ask for when somebody leaves. */
export function createHandOvers(deps: HandOversDeps) {
  const { users, management, outbox, requireProof, clock, wake } = deps
  const belongings = createBelongings(deps)
  const oneByOne = createKeyedMutex()

  const found = async (id: number): Promise<Account> => (await users.find(id)) ?? fail('not-found', {})

  async function last(userId: number): Promise<OutboxJob | null> {
    return (await outbox.latest(HAND_OVER_JOB, MOST_LOOKED_AT)).find((job) => taskOf(job).user.id === userId) ?? null
  }

  async function begin(id: number, choice: HandOverChoice, caller: Caller): Promise<HandOver> {
    const { viewer, address } = caller
    if (id === viewer.userId) fail('forbidden', { right: 'admin' })
    const leaver = await found(id)
    const before = await last(id)
    if (before?.state === 'waiting' || before?.state === 'running') fail('busy', {})
    const successor = (await users.find(choice.to)) ?? fail('invalid-input', { issues: ['to: unknown'] })
    await belongings.require(leaver, successor, choice)
    await requireProof(caller)
    // First of all: nobody writes into the folder while it is moved. Also if it is disabled: a directory that did it may change its mind.
    await management.change(id, { what: 'user', which: ['disabled'], data: { disabled: true } }, caller)
    const task: Task = {
      ...choice,
      folder: folderName(choice.folder, leaver, clock()),
      user: { id, name: leaver.username },
      successor: { id: successor.id, name: successor.username },
      by: performerOf(viewer),
      address,
      group: randomUUID(),
    }
    const job = await outbox.add(HAND_OVER_JOB, JSON.stringify(task), { dueInMs: 0 })
    wake()
    return toWire(job)
  }

  return {
    /** Fails with `not-found`, and with `invalid-input` for a successor who does not exist or a folder that can have no such name. */
    async preview(id: number, { to, folder }: { to: number | null; folder: string }): Promise<Belongings> {
      const leaver = await found(id)
      const successor = to === null ? null : ((await users.find(to)) ?? fail('invalid-input', { issues: ['to: unknown'] }))
      return belongings.preview(leaver, successor, folder)
    },

    /**
     * Fails with `not-found`, `proof-needed`, `invalid-input`, with `busy` while the last one goes on, and with `forbidden` for one's own account and the
     * last administrator.
     */
    start: (id: number, choice: HandOverChoice, caller: Caller): Promise<HandOver> => oneByOne(String(id), () => begin(id, choice, caller)),

    /** The last one of an account, also of one that is gone by now. */
    async last(id: number): Promise<HandOver | null> {
      const job = await last(id)
      return job === null ? null : toWire(job)
    },
  }
}
