import { expect, it } from 'bun:test'
import { isAppError } from '../../shared/errors.ts'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { driveOn, plant } from '../drive/samples.suite.ts'
import { NO_CACHE } from './cache.ts'
import type { Failure, Crashed, Picture, Rendition } from './picture.ts'
import { createPreviews } from './previews.ts'

it('a client that waits for a hundred pictures is refused more, and delays others by one picture only (R9)', async () => {
  const drive = driveOn(await plant(Object.fromEntries(Array.from({ length: 110 }, (_, n) => [`/${n}.jpg`, `${n}`]))))
  const rendered: (() => void)[] = []
  const render = () => new Promise<Picture>((resolve) => rendered.push(() => resolve({ type: 'image/jpeg', bytes: new Uint8Array(1) })))
  const previews = createPreviews({
    pool: { size: 1, render, end: () => undefined },
    sandbox: { unavailable: async () => null, start: notHere, run: notHere, openTerminal: null },
    cache: NO_CACHE,
    thumbnails: true,
    resize: true,
  })
  const left = new AbortController()
  const ask = async (n: number, clientKey: string): Promise<Rendition> => {
    const plan = await previews.plan(drive, at(`/${n}.jpg`), { size: 'thumb' })
    return previews.rendition(drive, plan, { size: 'thumb', clientKey, signal: left.signal })
  }
  for (let n = 0; n < 101; n++) ask(n, 'user 1').catch(() => undefined)
  await settled(() => rendered.length === 1)
  const other = ask(102, 'user 2')
  await expect(ask(101, 'user 1')).rejects.toMatchObject({ code: 'too-many-requests' })
  for (const turn of [0, 1, 2]) {
    await settled(() => rendered.length > turn)
    rendered[turn]?.()
  }
  expect((await other).type).toBe('image/jpeg')
  left.abort()
})

it('B4: a picture whose program crashed is tried again after a minute; an invalid one is not', async () => {
  const drive = driveOn(await plant({ '/a.jpg': 'a', '/b.jpg': 'b' }))
  const clock = { now: 0 }
  const outcomes: Record<string, (Picture | Failure | Crashed)[]> = {
    '/a.jpg': ['crashed', { type: 'image/jpeg', bytes: new Uint8Array(1) }],
    '/b.jpg': ['not-previewable', { type: 'image/jpeg', bytes: new Uint8Array(1) }],
  }
  let asked = ''
  const previews = createPreviews({
    pool: { size: 1, render: async () => outcomes[asked]?.shift() ?? 'not-previewable', end: () => undefined },
    sandbox: { unavailable: async () => null, start: notHere, run: notHere, openTerminal: null },
    cache: NO_CACHE,
    thumbnails: true,
    resize: true,
    now: () => clock.now,
  })
  const ask = async (path: string): Promise<string> => {
    asked = path
    const plan = await previews.plan(drive, at(path), { size: 'thumb' })
    const made = previews.rendition(drive, plan, { size: 'thumb', clientKey: 'user 1', signal: new AbortController().signal })
    return made.then(
      ({ type }) => type,
      (error: unknown) => (isAppError(error) ? error.code : 'thrown'),
    )
  }
  const both = async () => [await ask('/a.jpg'), await ask('/b.jpg')]
  expect(await both()).toEqual(['not-previewable', 'not-previewable'])
  clock.now = 59_000
  expect(await both()).toEqual(['not-previewable', 'not-previewable'])
  clock.now = 61_000
  expect(await both()).toEqual(['image/jpeg', 'not-previewable'])
})

function notHere(): Promise<never> {
  return Promise.reject(new Error('not here'))
}

async function settled(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => void setImmediate(resolve))
}
