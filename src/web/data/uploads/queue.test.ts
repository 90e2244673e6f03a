import { afterAll, beforeAll, describe, expect, it, jest } from 'bun:test'
import { fail } from '../../../shared/errors.ts'
import { parseFilePath } from '../../../shared/file-path.ts'
import { PROGRESS_EVERY_MS } from '../../../shared/limits.ts'
import { createUploadQueue, type QueueOptions, type Run, type Upload } from './queue.ts'

// A timer of the queue and one of the test's own, a moment later, would be a race on a busy machine.
beforeAll(() => void jest.useFakeTimers())
afterAll(() => void jest.useRealTimers())

describe('the upload queue', () => {
  it('runs five at a time, and the others wait', async () => {
    const desk = controlled()
    desk.queue.enqueue(jobs(7))
    expect(desk.states()).toEqual(['active', 'active', 'active', 'active', 'active', 'waiting', 'waiting'])
    await desk.finish(0)
    expect(desk.states()).toEqual(['done', 'active', 'active', 'active', 'active', 'active', 'waiting'])
  })

  it('runs a bulk request in one slot, with a result for each file', async () => {
    const slots: number[] = []
    let left = 0
    const batch = () => ({ count: 3, slot: () => ({ send: async () => {}, leave: () => void left++ }) })
    const outcomes: Run = async ({ path }, { slot }) => {
      slots.push(slot === null ? 0 : 1)
      if (path === '/1.bin') fail('already-exists', { path })
      return new Promise((resolve) => ends.push(() => resolve('sent')))
    }
    const ends: (() => void)[] = []
    const desk = controlled(outcomes, batch)
    desk.queue.enqueue(jobs(20))
    await tick()
    expect(desk.states().filter((state) => state === 'active')).toHaveLength(14)
    expect(desk.states().slice(0, 3)).toEqual(['active', 'failed', 'active'])
    expect(desk.states().slice(15)).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'waiting'])
    expect(left).toBe(1)
    for (const end of ends.splice(0)) end()
    await tick()
    for (const end of ends.splice(0)) end()
    await tick()
    expect(desk.rounds.map((round) => round.length)).toEqual([20])
    expect([left, Math.min(...slots)]).toEqual([20, 1])
  })

  it('reports once that all have finished, with their results', async () => {
    const desk = controlled()
    desk.queue.enqueue(jobs(2))
    await desk.finish(0)
    expect(desk.rounds).toHaveLength(0)
    await desk.finish(1)
    expect(desk.rounds.map((round) => round.map(({ state }) => state))).toEqual([['done', 'done']])
  })

  it('keeps a failure with its reason, and can try it again', async () => {
    let broken = true
    const desk = controlled(async () => (broken ? fail('storage-full', {}) : 'sent'))
    desk.queue.enqueue(jobs(1))
    await tick()
    expect(desk.uploads()[0]).toMatchObject({ state: 'failed', error: { code: 'storage-full' } })
    broken = false
    desk.queue.retry(1)
    await tick()
    expect(desk.states()).toEqual(['done'])
  })

  it('cancels running and waiting uploads, and starts no others', async () => {
    const desk = controlled()
    desk.queue.enqueue(jobs(8))
    desk.queue.cancelAll()
    await tick()
    expect(new Set(desk.states())).toEqual(new Set(['cancelled']))
    expect(desk.started).toBe(5)
  })

  it('B6: deletes cancelled uploads on the server, individually and all at once', async () => {
    const desk = controlled()
    desk.queue.enqueue(jobs(7))
    desk.report(0, 500)
    desk.report(1, 500)
    desk.queue.pause(2)
    desk.queue.suspend()
    await tick()
    expect(desk.states().slice(0, 2)).toEqual(['waiting', 'paused'])
    desk.queue.cancelAll()
    await tick()
    expect(new Set(desk.states())).toEqual(new Set(['cancelled']))
    expect(desk.discarded.map(String).toSorted()).toEqual(['/0.bin', '/1.bin'])
  })

  it('B6: cancels also what was about to pause, all at once as one by one', async () => {
    for (const cancel of ['cancel', 'cancelAll'] as const) {
      const desk = controlled()
      desk.queue.enqueue(jobs(1))
      desk.report(0, 500)
      desk.queue.pause(1)
      desk.queue[cancel](1)
      await tick()
      expect([cancel, desk.states(), desk.discarded.map(String)]).toEqual([cancel, ['cancelled'], ['/0.bin']])
    }
  })

  it('is suspended while the session is expired, and resumes with the same files', async () => {
    const desk = controlled()
    desk.queue.enqueue(jobs(7))
    desk.queue.suspend()
    await tick()
    expect(new Set(desk.states())).toEqual(new Set(['waiting']))
    desk.queue.unsuspend()
    await tick()
    expect(desk.states().filter((state) => state === 'active')).toHaveLength(5)
    expect(desk.rounds).toHaveLength(0)
  })

  it('pauses one, gives its slot to the next, and resumes it on request', async () => {
    const desk = controlled()
    desk.queue.enqueue(jobs(6))
    desk.report(0, 500)
    desk.queue.pause(1)
    await tick()
    expect(desk.states()).toEqual(['paused', 'active', 'active', 'active', 'active', 'active'])
    desk.queue.resume(1)
    await tick()
    expect(desk.states()[0]).toBe('waiting')
    await desk.finish(1)
    await tick()
    expect(desk.states().slice(0, 2)).toEqual(['active', 'done'])
  })

  it('pauses and resumes all, and deletes those cancelled meanwhile on the server', async () => {
    const desk = controlled()
    desk.queue.enqueue(jobs(7))
    desk.report(0, 500)
    desk.queue.pauseAll()
    await tick()
    expect(new Set(desk.states())).toEqual(new Set(['paused']))
    expect(desk.rounds).toHaveLength(0)
    desk.queue.cancel(1)
    desk.queue.cancel(7)
    expect(desk.discarded).toEqual(['/0.bin'])
    desk.queue.resumeAll()
    await tick()
    expect(desk.states()).toEqual(['cancelled', 'active', 'active', 'active', 'active', 'active', 'cancelled'])
  })

  it('removes finished uploads, and failed ones also on the server', async () => {
    const desk = controlled(async ({ path }) => (path === '/1.bin' ? fail('storage-full', {}) : 'sent'))
    desk.queue.enqueue(jobs(3))
    await tick()
    for (const id of [1, 2]) desk.queue.remove(id)
    expect(desk.uploads().map(({ path }) => String(path))).toEqual(['/2.bin'])
    expect(desk.discarded.map(String)).toEqual(['/1.bin'])
  })

  it('keeps the order that the user chose, also after a pause', async () => {
    const desk = controlled()
    desk.queue.enqueue(jobs(9))
    expect(desk.queue.move(9, 0)).toEqual({ at: 0, of: 4 })
    expect(desk.queue.move(6, 99)).toEqual({ at: 3, of: 4 })
    expect(desk.queue.move(1, 0)).toBeNull()
    const inTurn = () => desk.uploads().map(({ path }) => path)
    expect(inTurn().map(String)).toEqual(['/0.bin', '/1.bin', '/2.bin', '/3.bin', '/4.bin', '/8.bin', '/6.bin', '/7.bin', '/5.bin'])
    desk.queue.pauseAll()
    await tick()
    desk.queue.resumeAll()
    await desk.finish(5)
    await tick()
    const going = desk.uploads().filter(({ state }) => state === 'active')
    expect(going.map(({ path }) => String(path))).toEqual(['/1.bin', '/2.bin', '/3.bin', '/4.bin', '/8.bin'])
  })

  it('waits for a new session when the old one ends midway', async () => {
    let signedIn = false
    const desk = controlled(async () => (signedIn ? 'sent' : fail('sign-in-needed', {})))
    desk.queue.enqueue(jobs(6))
    await tick()
    expect(new Set(desk.states())).toEqual(new Set(['waiting']))
    signedIn = true
    desk.queue.unsuspend()
    await tick()
    expect(new Set(desk.states())).toEqual(new Set(['done']))
    expect(desk.rounds).toHaveLength(1)
  })

  it('reports progress at most every 100 ms, with speed and remaining time', async () => {
    const desk = controlled()
    desk.queue.enqueue(jobs(1))
    let told = 0
    desk.queue.store.subscribe(() => told++)
    for (let step = 0; step <= 20; step++) {
      desk.clock.now += 50
      desk.report(0, step * 50)
    }
    expect(told).toBeLessThanOrEqual(11)
    const { speed, remaining } = desk.queue.store.getState()
    expect(Math.round(speed)).toBe(1000)
    expect(remaining).toBeLessThan(0.2)
  })

  it('tells neither speed nor remaining time while the server is away', async () => {
    let setOffline: (offline: boolean) => void = () => undefined
    let sent: (bytes: number) => void = () => undefined
    const desk = controlled((_, { onOffline, onProgress }) => {
      setOffline = onOffline
      sent = onProgress
      return new Promise(() => undefined)
    })
    desk.queue.enqueue(jobs(1))
    for (let step = 0; step <= 20; step++) {
      desk.clock.now += 50
      sent(step * 40)
    }
    expect(desk.queue.store.getState().speed).toBeGreaterThan(0)
    setOffline(true)
    desk.clock.now += PROGRESS_EVERY_MS
    setOffline(true)
    expect(desk.queue.store.getState()).toMatchObject({ speed: 0, remaining: null })
  })
})

function controlled(
  run?: Run,
  batch?: QueueOptions['batch'],
): {
  queue: ReturnType<typeof createUploadQueue>
  rounds: (readonly Upload[])[]
  clock: { now: number }
  discarded: string[]
  readonly started: number
  states(): string[]
  uploads(): readonly Upload[]
  finish(index: number): Promise<void>
  report(index: number, sent: number): void
} {
  const rounds: (readonly Upload[])[] = []
  const clock = { now: 0 }
  const discarded: string[] = []
  const ends: (() => void)[] = []
  const reports: ((sent: number) => void)[] = []
  const wait: Run = (_, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      ends.push(() => resolve('sent'))
      reports.push(onProgress)
      signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    })
  const queue = createUploadQueue({
    run: run ?? wait,
    ...(batch && { batch }),
    onIdle: (uploads) => rounds.push(uploads),
    discard: ({ path }) => discarded.push(path),
    now: () => clock.now,
  })
  return {
    queue,
    rounds,
    clock,
    discarded,
    get started() {
      return ends.length
    },
    states: () => queue.store.getState().uploads.map(({ state }) => state),
    uploads: () => queue.store.getState().uploads,
    async finish(index) {
      ends[index]?.()
      await tick()
    },
    report: (index, sent) => reports[index]?.(sent),
  }
}

function jobs(count: number): { job: { path: ReturnType<typeof parseFilePath>; file: File }; decided: null }[] {
  return Array.from({ length: count }, (_, i) => ({
    job: { path: parseFilePath(`/${i}.bin`), file: new File([new Uint8Array(1000)], `${i}.bin`) },
    decided: null,
  }))
}

/** Longer than every chain of promises here. */
const TURNS = 50

/** Until the queue has told what changed. */
async function tick(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await Promise.resolve()
  jest.advanceTimersByTime(PROGRESS_EVERY_MS)
}
