import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { driveOn, manifest, plant, put, type Who } from '../drive/samples.suite.ts'
import { failure, streamOf } from '../storage/test-samples.ts'
import { createLeases, LEASE_LIMITS } from './leases.ts'
import { createUploadStore } from './store.ts'
import { type Announced, begin, cancel, isFinished, offset, appendBytes, unfinished } from './uploads.ts'

const HOUR = 3_600_000
const PLACE = { userId: 1, path: at('/d/film'), key: 'film', session: 's' }
const FILE: Announced = { ...PLACE, length: 6, stamp: 'of yesterday', replace: false }

describe('starting an upload', () => {
  it('starts at 0 and expires a day after its last use', async () => {
    const { start, store, ask, wait } = await world()
    const begun = await start(FILE)
    expect(begun).toMatchObject({ offset: 0, length: 6, stamp: 'of yesterday' })
    expect(begun.expires.getTime() - Date.now()).toBeGreaterThan(23 * HOUR)
    wait(23 * HOUR)
    await ask()
    wait(23 * HOUR)
    expect((await ask()).offset).toBe(0)
    wait(25 * HOUR)
    expect(await failure(ask())).toBe('not-found')
    expect(await store.find(1, PLACE.path, 'film')).not.toBeNull()
  })

  it('checks rights, a taken name, a folder and free space before any byte', async () => {
    const { start, storage, store } = await world({ '/d/film': 'old', '/d/folder/': '' })
    expect(await failure(start(FILE))).toBe('already-exists')
    expect(await failure(start({ ...FILE, replace: true }, { may: { modify: false } }))).toBe('forbidden')
    expect(await failure(start({ ...FILE, path: at('/d/new') }, { may: { create: false } }))).toBe('forbidden')
    expect(await failure(start({ ...FILE, path: at('/d/folder'), replace: true }))).toBe('already-exists')
    expect(await failure(start({ ...FILE, path: at('/d/new'), length: Number.MAX_SAFE_INTEGER }))).toBe('storage-full')
    for (const path of ['/d/film', '/d/new', '/d/folder']) expect(await store.find(1, at(path), 'film')).toBeNull()
    expect(await storage.staged()).toEqual([])
  })

  it('completes at once if the file is empty', async () => {
    const { start, storage, finished } = await world()
    expect(await start({ ...FILE, length: 0 })).toMatchObject({ offset: 0, length: 0 })
    expect(await manifest(storage)).toEqual({ '/d/': '', '/d/film': '' })
    expect(await finished()).toBe(true)
  })

  it('resumes with the same file; the last answer about replacing applies', async () => {
    const { start, send, storage } = await world()
    await start(FILE)
    await send(0, 'abc')
    await plantAt(storage, '/d/film', 'somebody else')
    expect(await failure(start(FILE))).toBe('already-exists')
    expect((await start({ ...FILE, replace: true })).offset).toBe(3)
    expect((await send(3, 'def')).offset).toBe(6)
    expect(await manifest(storage)).toEqual({ '/d/': '', '/d/film': 'abcdef' })
  })

  it('starts anew for another length or stamp, or after expiry', async () => {
    for (const other of [{ length: 7 }, { stamp: 'of today' }, { stamp: '' }]) {
      const { start, send, storage } = await world()
      await start(FILE)
      await send(0, 'abc')
      expect((await start({ ...FILE, ...other })).offset).toBe(0)
      expect(await storage.staged()).toEqual([])
    }
    const { start, send, storage, wait } = await world()
    await start({ ...FILE, stamp: '' })
    await send(0, 'abc')
    expect((await start({ ...FILE, stamp: '' })).offset).toBe(0)
    await start(FILE)
    await send(0, 'abc')
    wait(25 * HOUR)
    expect((await start(FILE)).offset).toBe(0)
    expect(await storage.staged()).toEqual([])
  })

  it('starts anew after it was finished, and the published file is a conflict', async () => {
    const { start, send, storage } = await world()
    await start(FILE)
    await send(0, 'abcdef')
    expect(await failure(start(FILE))).toBe('already-exists')
    expect((await start({ ...FILE, replace: true })).offset).toBe(0)
    await send(0, 'ABCDEF')
    expect(await manifest(storage)).toEqual({ '/d/': '', '/d/film': 'ABCDEF' })
  })

  it('is listed as unfinished for a day, and as active while it receives', async () => {
    const { start, send, deps, drive, wait } = await world()
    const told = () => unfinished(deps, drive(), 1)
    await start(FILE)
    await send(0, 'abc')
    expect(await told()).toMatchObject([{ path: '/d/film', length: 6, offset: 3, stamp: 'of yesterday', active: false }])
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const sending = failure(appendBytes(deps, drive(), { ...PLACE, offset: 3, size: 3, body: readable }))
    await writable.getWriter().write(new TextEncoder().encode('d'))
    expect(await told()).toMatchObject([{ active: true }])
    await writable.abort().catch(() => undefined)
    await cancel(deps, drive(), PLACE)
    await sending
    await start(FILE)
    wait(25 * HOUR)
    expect(await told()).toEqual([])
  })

  it('is separate for each user and path', async () => {
    const { start, send, store, storage } = await world()
    await start(FILE)
    await start({ ...FILE, userId: 2 })
    await start({ ...FILE, path: at('/d/other') })
    await send(0, 'abc')
    expect(await storage.staged()).toHaveLength(1)
    const ids = await Promise.all([
      store.find(1, PLACE.path, 'film'),
      store.find(2, PLACE.path, 'film'),
      store.find(1, at('/d/other'), 'film'),
    ])
    expect(new Set(ids.map((one) => one?.id)).size).toBe(3)
  })
})

describe('continuing an upload', () => {
  it('appends bytes at its offset, in any number of pieces, and publishes with the last', async () => {
    const { start, send, storage, finished, ask } = await world()
    await start(FILE)
    expect((await send(0, 'a', 'b')).offset).toBe(2)
    expect((await send(2)).offset).toBe(2)
    expect(await manifest(storage)).toEqual({ '/d/': '' })
    expect((await send(2, 'cdef')).offset).toBe(6)
    expect(await manifest(storage)).toEqual({ '/d/': '', '/d/film': 'abcdef' })
    expect(await finished()).toBe(true)
    expect((await ask()).offset).toBe(6)
  })

  it('refuses another offset, and an unknown upload', async () => {
    const { start, send, ask } = await world()
    expect(await failure(send(0, 'a'))).toBe('not-found')
    await start(FILE)
    await send(0, 'abc')
    expect(await failure(send(0, 'abc'))).toBe('wrong-offset')
    expect(await failure(send(4, 'e'))).toBe('wrong-offset')
    expect(await failure(send(7, 'g'))).toBe('invalid-input')
    expect((await ask()).offset).toBe(3)
    await send(3, 'def')
    expect(await failure(send(3, 'def'))).toBe('wrong-offset')
    expect((await send(6)).offset).toBe(6)
  })

  it('refuses too many bytes: unread if the length is declared, else with all bytes discarded', async () => {
    const { start, send, deps, drive, ask } = await world()
    await start(FILE)
    await send(0, 'abc')
    let asked = 0
    const body = new ReadableStream<Uint8Array>({ pull: () => void asked++ }, { highWaterMark: 0 })
    expect(await failure(appendBytes(deps, drive(), { ...PLACE, offset: 3, size: 4, body }))).toBe('too-large')
    expect([asked, (await ask()).offset]).toEqual([0, 3])
    expect(await failure(send(3, 'defg'))).toBe('too-large')
    expect((await ask()).offset).toBe(0)
  })

  it('keeps received bytes when the connection is lost', async () => {
    const { start, deps, drive, ask, send, storage } = await world()
    await start(FILE)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const dropped = failure(appendBytes(deps, drive(), { ...PLACE, offset: 0, size: 6, body: readable }))
    const writer = writable.getWriter()
    await writer.write(new TextEncoder().encode('abcd'))
    await writer.abort(new Error('reset'))
    expect(await dropped).toContain('reset')
    expect((await ask()).offset).toBe(4)
    await send(4, 'ef')
    expect(await manifest(storage)).toEqual({ '/d/': '', '/d/film': 'abcdef' })
  })

  it('keeps all bytes if the name was taken in the meantime, and publishes when that is resolved', async () => {
    const { start, send, storage, ask } = await world()
    await start(FILE)
    await plantAt(storage, '/d/film', 'somebody else')
    expect(await failure(send(0, 'abcdef'))).toBe('already-exists')
    expect(await failure(ask())).toBe('already-exists')
    await storage.remove(at('/d/film'))
    expect((await ask()).offset).toBe(6)
    expect(await manifest(storage)).toEqual({ '/d/': '', '/d/film': 'abcdef' })
  })

  it('is checked with the permissions at the time of publishing', async () => {
    const { start, deps, drive, storage } = await world()
    await start(FILE)
    const body = streamOf(new Uint8Array(6))
    expect(await failure(appendBytes(deps, drive({ may: { create: false, modify: false } }), { ...PLACE, offset: 0, size: 6, body }))).toBe(
      'forbidden',
    )
    expect(await manifest(storage)).toEqual({ '/d/': '' })
  })
})

describe('an upload whose server was killed between publishing and recording it', () => {
  it('counts as finished, and is not started anew', async () => {
    const { start, send, ask, stop, deps, drive, finished, storage } = await publishedUnnoted()
    expect(await unfinished(deps, drive(), 1)).toEqual([])
    expect((await ask()).offset).toBe(6)
    expect(await finished()).toBe(true)
    expect((await send(6, '')).offset).toBe(6)
    expect(await failure(stop())).toBe('not-found')
    expect(await failure(start(FILE))).toBe('already-exists')
    expect(await manifest(storage)).toEqual({ '/d/': '', '/d/film': 'abcdef' })
  })

  it('can be replaced by another one', async () => {
    const { start, send, storage } = await publishedUnnoted()
    expect((await start({ ...FILE, replace: true, stamp: 'another' })).offset).toBe(0)
    expect((await send(0, 'uvwxyz')).offset).toBe(6)
    expect(await manifest(storage)).toEqual({ '/d/': '', '/d/film': 'uvwxyz' })
  })

  /** The note is lost, as it is when the answer of the disk is. */
  async function publishedUnnoted() {
    const made = await world()
    await made.start(FILE)
    const { finish } = made.store
    made.store.finish = () => Promise.reject(new Error('killed'))
    expect(await failure(made.send(0, 'abcdef'))).toContain('killed')
    made.store.finish = finish
    return made
  }
})

describe('cancelling an upload', () => {
  it('removes it with its bytes, and leaves the file at its path', async () => {
    const { start, send, stop, ask, storage } = await world({ '/d/film': 'old' })
    await start({ ...FILE, replace: true })
    await send(0, 'abc')
    await stop()
    expect(await failure(ask())).toBe('not-found')
    expect(await storage.staged()).toEqual([])
    expect(await manifest(storage)).toEqual({ '/d/': '', '/d/film': 'old' })
    expect(await failure(stop())).toBe('not-found')
  })

  it('is refused after it has finished, and for other users', async () => {
    const { start, send, stop, deps, drive, storage } = await world()
    await start(FILE)
    expect(await failure(cancel(deps, drive(), { ...PLACE, userId: 2 }))).toBe('not-found')
    await send(0, 'abcdef')
    expect(await failure(stop())).toBe('not-found')
    expect(await manifest(storage)).toEqual({ '/d/': '', '/d/film': 'abcdef' })
  })

  it('stops bytes that are still arriving', async () => {
    const { start, stop, deps, drive, storage } = await world()
    await start(FILE)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const stopped = failure(appendBytes(deps, drive(), { ...PLACE, offset: 0, size: 6, body: readable }))
    await writable.getWriter().write(new TextEncoder().encode('abc'))
    await stop()
    expect(await stopped).toBe('busy')
    expect(await storage.staged()).toEqual([])
  })
})

/** Uploads of user 1 to `PLACE`, unless said otherwise. */
async function world(tree: Record<string, string> = { '/d/': '' }) {
  let ahead = 0
  const clock = (): Date => new Date(Date.now() + ahead)
  const storage = await plant(tree)
  const db = await openTestDatabase({ clock })
  const store = createUploadStore(db)
  const deps = { store, clock, expiryMs: 24 * HOUR, leases: createLeases({ store, clock, limits: LEASE_LIMITS }) }
  const drive = (who?: Who) => driveOn(storage, who)
  return {
    storage,
    store,
    deps,
    drive,
    wait: (ms: number) => void (ahead += ms),
    start: (file: Announced, who?: Who) => begin(deps, drive(who), file),
    send: (from: number, ...pieces: string[]) => {
      const body = streamOf(...pieces.map((piece) => new TextEncoder().encode(piece)))
      return appendBytes(deps, drive(), { ...PLACE, offset: from, size: null, body })
    },
    ask: () => offset(deps, drive(), PLACE),
    stop: () => cancel(deps, drive(), PLACE),
    finished: () => isFinished(deps, PLACE),
  }
}

async function plantAt(storage: Awaited<ReturnType<typeof plant>>, path: string, text: string): Promise<void> {
  await put(driveOn(storage), path, text)
}
