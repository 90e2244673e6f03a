import { describe, expect, it } from 'bun:test'
import { ROOT } from '../../shared/file-path.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { createLeases, type HeldLease, type Leases, type LeaseLimits } from './leases.ts'
import { createUploadStore, type UploadStore } from './store.ts'

/** Renewed ten times a second. By whose clock a lease runs out stands still until a test moves it, however busy the machine is. */
const QUICK: LeaseLimits = { leaseMs: 300, stallMs: 10_000, silentMs: 10_000 }

describe('the lease of an upload', () => {
  it('is held by one at a time, across all machines', async () => {
    const { one, other } = await twoMachines()
    const work = begun(one)
    await work.held
    await expect(other.hold('u', { evict: 'any' }, async () => 'in')).rejects.toMatchObject({ code: 'busy' })
    await work.end()
    expect(await other.hold('u', { evict: 'silent' }, async () => 'in')).toBe('in')
  })

  it('R1: is held by one of two simultaneous requests in a process', async () => {
    const { store, clock } = await twoMachines()
    const leases = createLeases({ store: slowToAnswer(store), clock, limits: QUICK })
    let inside = 0
    let most = 0
    const work = async (): Promise<string> => {
      most = Math.max(most, ++inside)
      await Bun.sleep(50)
      inside--
      return 'in'
    }
    const asked = [1, 2, 3].map(() => leases.hold('u', { evict: 'silent' }, work).catch(() => 'busy'))
    expect((await Promise.all(asked)).toSorted()).toEqual(['busy', 'busy', 'in'])
    expect(most).toBe(1)
  })

  it('is renewed while the work lasts', async () => {
    const { one, other, clock, pass, until } = await twoMachines()
    const work = begun(one)
    await work.held
    for (let turn = 0; turn < 5; turn++) {
      pass(QUICK.leaseMs * 0.6)
      while ((await until()) !== clock().getTime() + QUICK.leaseMs) await Bun.sleep(5)
    }
    await expect(other.hold('u', { evict: 'any' }, async () => 'in')).rejects.toMatchObject({ code: 'busy' })
    await work.end()
  })

  it('expires if its machine dies, and the next takes over', async () => {
    const { other, store, clock, pass } = await twoMachines()
    await dieHolding(store, clock().getTime())
    await expect(other.hold('u', { evict: 'any' }, async () => 'in')).rejects.toMatchObject({ code: 'busy' })
    pass(300)
    expect(await other.hold('u', { evict: 'silent' }, async () => 'in')).toBe('in')
  })

  it('R12: of a dead machine whose clock was an hour ahead expires if it is not renewed', async () => {
    const { other, store, clock } = await twoMachines()
    await dieHolding(store, clock().getTime() + 3_600_000)
    const tryIn = () => other.hold('u', { evict: 'silent' }, async () => 'in').catch(() => 'busy')
    expect(await tryIn()).toBe('busy')
    const since = performance.now()
    while ((await tryIn()) === 'busy') await Bun.sleep(10)
    expect(performance.now() - since).toBeGreaterThanOrEqual(QUICK.leaseMs * 0.9)
  })

  it('R12: is free at once if all holders are dead, and the writer continues the same file', async () => {
    const { alone, other, store, clock } = await twoMachines()
    await dieHolding(store, clock().getTime() + 3_600_000)
    await store.freeAll()
    const generations = await alone.hold('u', { evict: 'silent' }, async ({ generation, isTakenOver }) => [generation, isTakenOver])
    expect(generations).toEqual([0, false])
    await dieHolding(store, clock().getTime() - 3_600_000)
    // Where somebody may only be paused, it is the next writer, with a file of its own.
    expect(await other.hold('u', { evict: 'silent' }, async ({ generation, isTakenOver }) => [generation, isTakenOver])).toEqual([1, true])
  })

  it('R1: that was not renewed in time prevents writing, unless nobody else can hold it', async () => {
    const { store, clock, pass } = await twoMachines()
    const stuck: UploadStore = { ...store, renew: () => new Promise(() => undefined) }
    for (const isAlone of [false, true]) {
      const leases = createLeases({ store: stuck, clock, limits: QUICK, isAlone })
      const work = begun(leases, { stops: true })
      const { mayWrite, signal } = await work.held
      expect(mayWrite).not.toThrow()
      await Bun.sleep(QUICK.leaseMs * 1.1)
      // By the clock that somebody set, too, it has run out.
      pass(QUICK.leaseMs * 2)
      if (isAlone) expect(mayWrite).not.toThrow()
      else expect(mayWrite).toThrow('busy')
      const next = leases.hold('u', { evict: 'silent' }, async () => 'in').catch(() => 'busy')
      expect([await next, signal.aborted]).toEqual(isAlone ? ['busy', false] : ['in', true])
      await work.end()
    }
  })

  it('that was lost stops the work and refuses the last step', async () => {
    const { one, loseTo } = await twoMachines()
    const work = begun(one)
    const held = await work.held
    await loseTo('another')
    while (!held.signal.aborted) await Bun.sleep(5)
    await expect(held.confirm()).rejects.toMatchObject({ code: 'busy' })
    await work.end()
  })

  it('is passed on at once if its client has disconnected, and after a while if it is silent', async () => {
    const { one, pass } = await twoMachines({ leaseMs: 60_000, silentMs: 500 })
    const client = new AbortController()
    const left = begun(one, { client: client.signal, stops: true })
    await left.held
    await expect(one.hold('u', { evict: 'silent' }, async () => 'in')).rejects.toMatchObject({ code: 'busy' })
    client.abort()
    expect(await one.hold('u', { evict: 'silent' }, async () => 'in')).toBe('in')
    const silent = begun(one, { stops: true })
    const { noteBytes } = await silent.held
    pass(350)
    noteBytes()
    pass(350)
    await expect(one.hold('u', { evict: 'silent' }, async () => 'in')).rejects.toMatchObject({ code: 'busy' })
    pass(350)
    expect(await one.hold('u', { evict: 'silent' }, async () => 'in')).toBe('in')
    await Promise.all([left.end(), silent.end()])
  })

  it('stays with a holder at its last step, and others are refused', async () => {
    const { one } = await twoMachines({ silentMs: 0 })
    const work = begun(one, { client: AbortSignal.abort() })
    await (await work.held).confirm()
    for (const evict of ['silent', 'any'] as const) {
      await expect(one.hold('u', { evict }, async () => 'in')).rejects.toMatchObject({ code: 'busy' })
    }
    expect((await work.held).signal.aborted).toBe(false)
    await work.end()
    expect(await one.hold('u', { evict: 'silent' }, async () => 'in')).toBe('in')
  })

  it('is released when the work fails', async () => {
    const { one, other } = await twoMachines()
    await expect(one.hold('u', { evict: 'silent' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await other.hold('u', { evict: 'silent' }, async () => 'in')).toBe('in')
  })

  it('cannot be acquired for a finished upload', async () => {
    const { one, store, clock } = await twoMachines()
    await store.finish('u', clock().getTime() - 1)
    await expect(one.hold('u', { evict: 'any' }, async () => 'in')).rejects.toMatchObject({ code: 'busy' })
  })
})

async function dieHolding(store: UploadStore, now: number): Promise<void> {
  const standing = await store.leaseState('u')
  if (standing === null) throw new Error('no upload')
  await store.lease(standing, { holder: 'a machine that died', now, until: now + 300, generation: 0 })
}

/** The answer to who got the lease comes late, when others can read it from the table already. */
function slowToAnswer(store: UploadStore): UploadStore {
  return {
    ...store,
    lease: async (...asked) => {
      const isWon = await store.lease(...asked)
      await Bun.sleep(20)
      return isWon
    },
  }
}

async function twoMachines(more: Partial<LeaseLimits> = {}) {
  const limits = { ...QUICK, ...more }
  let now = Date.now()
  const clock = (): Date => new Date(now)
  const db = await openTestDatabase({ clock })
  const store = createUploadStore(db)
  await store.create({
    id: 'u',
    userId: 1,
    path: ROOT,
    length: 3,
    stamp: '',
    replace: false,
    share: '',
    key: 'k',
    session: 's',
    touchedAt: now,
  })
  return {
    clock,
    store,
    pass: (ms: number): void => void (now += ms),
    /** When the lease runs out. */
    until: async () => (await db.selectFrom('uploads').select('lease_until').executeTakeFirstOrThrow()).lease_until,
    /** In one step: a renewal must not come in between. */
    loseTo: (lease: string) =>
      db
        .updateTable('uploads')
        .set({ lease, lease_until: now + 60_000 })
        .execute(),
    one: createLeases({ store, clock, limits }),
    other: createLeases({ store, clock, limits }),
    alone: createLeases({ store, clock, limits, isAlone: true }),
  }
}

/** Work under the lease that lasts until it is told to end, or, where it `stops`, to stop. */
function begun(leases: Leases, { client, stops = false }: { client?: AbortSignal; stops?: boolean } = {}) {
  const held = Promise.withResolvers<HeldLease>()
  const told = Promise.withResolvers<void>()
  const work = leases.hold('u', { evict: 'silent', client }, (mine) => {
    held.resolve(mine)
    if (stops) mine.signal.addEventListener('abort', () => told.resolve())
    return told.promise
  })
  return {
    held: held.promise,
    end: async () => {
      told.resolve()
      await work
    },
  }
}
