import { afterEach, beforeEach, expect, it } from 'bun:test'
import { fail } from '../../shared/errors.ts'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { failure, type MakeSample, promised, read, type Sample, streamOf, type SuiteOptions, write } from './test-samples.ts'
import type { StagedFile, Storage } from './storage.ts'

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

/** Staged files (invariant I6). */
export function describeStaging(make: MakeSample, suite: SuiteOptions = {}): void {
  let sample: Sample
  let storage: Storage
  let staged: StagedFile
  beforeEach(async () => {
    sample = await make()
    storage = sample.storage
    staged = storage.stage('upload-1', { near: at('/a') })
  })
  afterEach(() => sample.dispose())

  it('hides staged bytes until they are committed, and knows their size', async () => {
    expect(await staged.size()).toBe(0)
    expect(await staged.append(text('one '))).toBe(4)
    expect(await staged.append(streamOf(text('two '), text('three')))).toBe(13)
    expect(await staged.size()).toBe(13)
    expect([...(await storage.list(ROOT)).names]).toEqual([])
    const stat = await staged.commit(at('/a'), { replace: false })
    expect(stat).toMatchObject({ kind: 'file', size: 13 })
    expect(stat).toEqual((await storage.stat(at('/a'))) ?? stat)
    expect(await read(storage, at('/a'))).toBe('one two three')
    expect(await storage.staged()).toEqual([])
    expect(await staged.size()).toBe(0)
  })

  it('resumes an upload by its id', async () => {
    await staged.append(text('half '))
    const again = storage.stage('upload-1', { near: at('/a') })
    expect(await again.size()).toBe(5)
    await again.append(text('done'))
    await again.commit(at('/a'), { replace: false })
    expect(await read(storage, at('/a'))).toBe('half done')
  })

  it('resumes and discards it by id, whatever target is named', async () => {
    await staged.append(text('x'))
    expect(await storage.stage('upload-1', { near: at('/not/there/yet') }).size()).toBe(1)
    expect(await storage.staged()).toEqual(['upload-1'])
    await storage.stage('upload-1', { near: ROOT }).discard()
    expect(await storage.staged()).toEqual([])
    await staged.discard()
  })

  it('publishes an empty file', async () => {
    await staged.commit(at('/a'), { replace: false })
    expect(await storage.stat(at('/a'))).toMatchObject({ kind: 'file', size: 0 })
  })

  it('refuses to overwrite without replace, and keeps the staged bytes', async () => {
    await write(storage, at('/a'), 'old')
    await staged.append(text('new'))
    expect(await failure(staged.commit(at('/a'), { replace: false }))).toBe('already-exists')
    expect(await read(storage, at('/a'))).toBe('old')
    expect(await staged.size()).toBe(3)
    await staged.commit(at('/a'), { replace: true })
    expect(await read(storage, at('/a'))).toBe('new')
  })

  it('never replaces a folder', async () => {
    await storage.makeFolder(at('/a'))
    await staged.append(text('new'))
    for (const replace of [true, false]) expect(await failure(staged.commit(at('/a'), { replace }))).toBe('already-exists')
    expect(await failure(staged.commit(ROOT, { replace: true }))).toBe('already-exists')
    expect(await staged.size()).toBe(3)
    expect(await storage.stat(at('/a'))).toMatchObject({ kind: 'folder' })
  })

  it('needs a parent, and keeps its bytes without one', async () => {
    await staged.append(text('new'))
    expect(await failure(staged.commit(at('/none/a'), { replace: false }))).toBe('not-found')
    expect(await staged.size()).toBe(3)
    await storage.makeFolder(at('/none'))
    await staged.commit(at('/none/a'), { replace: false })
    expect(await read(storage, at('/none/a'))).toBe('new')
  })

  promised(suite, 'attributes')('keeps the mode of the old file, and sets time and mode if requested', async () => {
    await staged.append(text('one'))
    const made = await staged.commit(at('/a'), { replace: false, modified: 1_600_000_000_500, mode: 0o604 })
    expect(made.modified).toBe(1_600_000_000_500)
    for (const modified of [1_600_000_000_123.25, 0.25, -86_400_000]) {
      expect((await storage.stage('upload-3', { near: at('/b') }).commit(at('/b'), { replace: true, modified })).modified).toBe(modified)
    }
    expect(made.mode & 0o777).toBe(0o604)
    const saved = await storage.stage('upload-2', { near: at('/a') }).commit(at('/a'), { replace: true })
    expect(saved.mode & 0o777).toBe(0o604)
    expect(saved.identity).not.toBe(made.identity)
  })

  promised(suite, 'attributes')('A10: removes setuid and setgid when a file is replaced', async () => {
    const made = await staged.commit(at('/a'), { replace: false, mode: 0o6755 })
    expect(made.mode & 0o7777).toBe(0o755)
    const copied = await storage.stage('upload-2', { near: at('/b') }).commit(at('/b'), { replace: true, mode: 0o4711 })
    expect(copied.mode & 0o7777).toBe(0o711)
  })

  it('stops at the limit and keeps the bytes that fit', async () => {
    await staged.append(text('12'))
    expect(await failure(staged.append(streamOf(text('34'), text('56'), text('78')), { limit: 3 }))).toBe('too-large')
    expect(await staged.size()).toBe(5)
    expect(await failure(staged.append(text('678'), { limit: 2 }))).toBe('too-large')
    expect(await staged.append(text(''), { limit: 0 })).toBe(7)
    expect(await failure(staged.append(text('8'), { limit: 0 }))).toBe('too-large')
    await staged.commit(at('/a'), { replace: false })
    expect(await read(storage, at('/a'))).toBe('1234567')
  })

  it('keeps the bytes before an abort, and cancels the stream', async () => {
    const stopped = new AbortController()
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(text('arrived')),
      pull: () => void setTimeout(() => stopped.abort(new Error('gone')), 20),
      cancel: () => void (cancelled = true),
    })
    expect(await failure(staged.append(endless, { signal: stopped.signal }))).toContain('gone')
    expect(cancelled).toBe(true)
    expect(await staged.size()).toBe(7)
  })

  it('reports every received byte, and knows its size while receiving', async () => {
    let came = 0
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const appended = staged.append(readable, { onBytes: () => void came++ })
    for (const [index, crumb] of ['a', 'bc', 'def'].entries()) {
      await writer.write(text(crumb))
      await Bun.sleep(1)
      expect(came).toBe(index + 1)
      expect(await staged.settle()).toBe([1, 3, 6][index] ?? 0)
      expect(await staged.size()).toBe([1, 3, 6][index] ?? 0)
    }
    await writer.close()
    expect(await appended).toBe(6)
    expect(came).toBe(3)
    expect(await staged.settle()).toBeNull()
    await staged.commit(at('/a'), { replace: false })
    expect(await read(storage, at('/a'))).toBe('abcdef')
  })

  it('stays consistent when its size is requested repeatedly', async () => {
    const pieces = Array.from({ length: 600 }, (_, i) => new Uint8Array(10_000).fill(i % 256))
    const appended = staged.append(streamOf(...pieces))
    const ask = async (): Promise<void> => {
      while ((await staged.settle()) !== null) await Bun.sleep(0)
    }
    await Promise.all([appended, ask(), ask(), ask()])
    await staged.commit(at('/a'), { replace: false })
    await using file = await storage.open(at('/a'))
    expect(Bun.hash(await file.peek(0, 6_000_000))).toBe(Bun.hash(await new Blob(pieces).arrayBuffer()))
  })

  it('keeps the bytes before an error of the sender', async () => {
    let sent = false
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) controller.error(new Error('reset'))
        else controller.enqueue(text('arrived'))
        sent = true
      },
    })
    expect(await failure(staged.append(broken))).toContain('reset')
    expect(await staged.size()).toBe(7)
  })

  it('applies backpressure to the sender', async () => {
    let asked = 0
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (++asked > 400) controller.close()
          else controller.enqueue(new Uint8Array(64 * 1024))
        },
      },
      { highWaterMark: 0 },
    )
    expect(await failure(staged.append(source, { limit: 1024 * 1024 }))).toBe('too-large')
    expect(asked).toBeLessThan(100)
  })

  it('accepts thousands of small pieces mixed with large ones', async () => {
    const pieces = Array.from({ length: 5000 }, (_, i) => new Uint8Array(i % 1000 === 0 ? 1_500_000 : 3).fill(i % 256))
    const total = pieces.reduce((sum, piece) => sum + piece.length, 0)
    expect(await staged.append(streamOf(...pieces))).toBe(total)
    await staged.commit(at('/a'), { replace: false })
    await using file = await storage.open(at('/a'))
    const expected = Bun.hash(await new Blob(pieces).arrayBuffer())
    expect(Bun.hash(await file.peek(0, total))).toBe(expected)
  })

  it('keeps the order of large uploads in odd pieces, with size requests and resumptions', async () => {
    const pieces = Array.from({ length: 32 }, (_, i) => new Uint8Array(777_777 + i).fill(i + 1))
    const total = pieces.reduce((sum, piece) => sum + piece.length, 0)
    let sent = 0
    for (const half of [pieces.slice(0, 16), pieces.slice(16)]) {
      const source = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const piece = half.shift()
          if (piece === undefined) return controller.close()
          sent += piece.length
          controller.enqueue(piece)
          if (half.length % 5 === 0) expect(await staged.settle()).toBeLessThanOrEqual(sent)
        },
      })
      expect(await staged.append(source)).toBe(sent)
    }
    await staged.commit(at('/a'), { replace: false })
    await using file = await storage.open(at('/a'))
    expect(Bun.hash(await file.peek(0, total))).toBe(Bun.hash(await new Blob(pieces).arrayBuffer()))
  })

  it('R1: writes at the given offset and discards everything beyond', async () => {
    await staged.append(text('abcdef'))
    expect(await staged.append(text('XY'), { at: 3 })).toBe(5)
    await staged.commit(at('/a'), { replace: false })
    expect(await read(storage, at('/a'))).toBe('abcXY')
  })

  it('R3: reports the durable size, also when the sender fails', async () => {
    const told: number[] = []
    const options = { whole: 10, onDurable: (size: number) => void told.push(size) }
    await staged.append(text('abc'), { ...options, at: 0 })
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(text('def')),
      pull: (controller) => controller.error(new Error('reset')),
    })
    expect(await failure(staged.append(broken, { ...options, at: 3 }))).toContain('reset')
    expect([told.at(0), told.at(-1)]).toEqual([3, 6])
  })

  it('R1: writes nothing after it lost its lease', async () => {
    await staged.append(text('abc'))
    const refused = failure(staged.append(text('def'), { mayWrite: () => fail('busy', {}) }))
    expect(await refused).toBe('busy')
    expect(await staged.size()).toBe(3)
  })

  it('R1: an adopted upload is a new node, which its former writer cannot change', async () => {
    const [former, heir] = [storage.stage('u', { near: at('/a') }), storage.stage('u-1', { near: at('/a') })]
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const late = failure(former.append(readable))
    await writer.write(text('abcdef'))
    while ((await former.settle()) !== 6) await Bun.sleep(1)
    expect(await heir.adopt('u', 4)).toBe('adopted')
    await heir.append(text('XY'), { at: 4 })
    await heir.commit(at('/a'), { replace: false })
    // Like a machine that was paused meanwhile.
    await writer.write(text('from the past'))
    await writer.close()
    await late
    expect(await read(storage, at('/a'))).toBe('abcdXY')
    expect(await storage.staged()).toEqual((await former.size()) === 0 ? [] : ['u'])
    expect(await storage.stage('u-2', { near: at('/a') }).adopt('v', 1)).toBe('nothing')
  })

  it('copies a file of the same storage over earlier staged bytes', async () => {
    await write(storage, at('/source'), 'content')
    await staged.append(text('longer than the content'))
    await staged.copyFrom(at('/source'))
    expect(await staged.size()).toBe(7)
    await staged.commit(at('/a'), { replace: false })
    expect(await read(storage, at('/a'))).toBe('content')
    expect(await failure(staged.copyFrom(ROOT))).toBe('not-found')
    expect(await failure(staged.copyFrom(at('/none')))).toBe('not-found')
    expect(await failure(staged.copyFrom(at('/source'), { signal: AbortSignal.abort(new Error('gone')) }))).toContain('gone')
  })

  it('lets one of many commits to the same name succeed, and keeps the bytes of the others', async () => {
    const rivals = Array.from({ length: 8 }, (_, i) => storage.stage(`rival-${i}`, { near: at('/a') }))
    await Promise.all(rivals.map((rival, i) => rival.append(text(`${i}`))))
    const outcomes = await Promise.all(rivals.map((rival) => failure(rival.commit(at('/a'), { replace: false }))))
    expect(outcomes.filter((code) => code === 'none').length).toBe(1)
    expect(outcomes.filter((code) => code === 'already-exists').length).toBe(7)
    expect((await storage.staged()).length).toBe(7)
  })

  it('refuses invalid ids', () => {
    for (const id of ['', '..', 'a/b', 'a\0b', 'x'.repeat(200)]) expect(() => storage.stage(id, { near: ROOT })).toThrow('invalid-input')
  })
}
