import { afterAll, afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { join } from 'node:path'
import { joinPath, parseFilePath as at, ROOT } from '../../../shared/file-path.ts'
import { failure, read, sortedNames, write } from '../test-samples.ts'
import type { Kept } from '../storage.ts'
import { eachOf } from './objects.ts'
import type { S3Options } from './options.ts'
import { createS3Storage, type S3Storage } from './s3.ts'
import { type FaultProxy, startFaultProxy } from './test-s3-proxy.ts'
import { startS3Service, temporaryFolder } from './test-s3-service.ts'

/** `TEST_S3_FILES=10000 npm run test:s3 -- src/server/storage/s3/s3.crash.test.ts` is the same with more. */
const FILES = Number(process.env['TEST_S3_FILES'] ?? 120)
const MIB = 1024 ** 2
/** Two processes and hundreds of requests each. */
const PATIENT_MS = 300_000
const KEPT: Kept = { area: 'trash', volume: ROOT, id: 'kept' }
const service = await startS3Service()
afterAll(() => service.stop())

let proxy: FaultProxy
let options: S3Options
let dispose: () => void
beforeEach(async () => {
  proxy = await startFaultProxy(service.endpoint)
  const temporary = temporaryFolder()
  dispose = temporary.dispose
  const limits = { partBytes: 5 * MIB, backoffMs: 5, parallel: 8 }
  const { endpoint, region, bucket, credentials, pathStyle } = service
  options = {
    endpoint,
    region,
    bucket,
    credentials,
    pathStyle,
    prefix: `crash/${crypto.randomUUID()}`,
    folder: temporary.folder,
    server: 'one',
    limits,
  }
})
afterEach(async () => {
  await proxy.stop()
  dispose()
})

/** Runs the child until a request for which `isLast` says so, which is not carried out. */
async function killAt(action: string, isLast: (kinds: readonly string[]) => boolean): Promise<void> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, 's3.crash.child.ts'), JSON.stringify({ ...options, endpoint: proxy.endpoint }), action],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const kinds: string[] = []
  proxy.setFault(() => {
    kinds.push(...proxy.seen())
    if (!isLast(kinds)) return null
    child.kill('SIGKILL')
    return { kind: 'refuse', status: 400, code: 'Killed' }
  })
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
}

const count = (kinds: readonly string[], kind: string): number => kinds.filter((one) => one === kind).length

async function plant(storage: S3Storage): Promise<void> {
  for (const folder of ['/folder', '/folder/in', '/folder/empty']) await storage.makeFolder(at(folder))
  const files = Array.from({ length: FILES }, (_, index) => `${index}`)
  await eachOf(files, 16, (name) => write(storage, joinPath(at(Number(name) % 2 === 0 ? '/folder' : '/folder/in'), name), name))
}

async function expectWhole(storage: S3Storage, path: string): Promise<void> {
  const names = [...(await storage.list(at(path))).names, ...(await storage.list(at(`${path}/in`))).names]
  expect(names.filter((name) => /^\d+$/.test(name))).toHaveLength(FILES)
  expect(sortedNames(await storage.list(at(`${path}/empty`)))).toEqual([])
  for (const name of ['0', 'in/1', `in/${FILES - 1}`]) expect(await read(storage, at(`${path}/${name}`))).toBe(name.replace('in/', ''))
}

describe('a move of a folder that is killed', () => {
  for (const [when, isLast] of [
    ['while it copies', (kinds: readonly string[]) => count(kinds, 'COPY') > FILES / 2],
    ['before it deletes', (kinds: readonly string[]) => count(kinds, 'DELETE many') === 1],
    ['before its record is removed', (kinds: readonly string[]) => count(kinds, 'DELETE') === 1],
  ] as const) {
    it(
      `${when} is ended after the restart, and nothing is lost`,
      async () => {
        const before = createS3Storage(options)
        await plant(before)
        await killAt('move', isLast)
        const storage = createS3Storage(options)
        await storage.resume()
        expect(await storage.stat(at('/folder'))).toBeNull()
        expect(sortedNames(await storage.list(ROOT))).toEqual(['moved'])
        await expectWhole(storage, '/moved')
        // Nothing is left to do.
        await createS3Storage(options).resume()
        await expectWhole(storage, '/moved')
      },
      PATIENT_MS,
    )
  }

  it(
    'is whole at one of both names meanwhile, at which nothing is changed',
    async () => {
      await plant(createS3Storage(options))
      await killAt('move', (kinds) => count(kinds, 'COPY') > FILES / 2)
      // Another server, which gives the first one time.
      const other = createS3Storage({ ...options, server: 'two' })
      await other.resume()
      await expectWhole(other, '/folder')
      expect(sortedNames(await other.list(ROOT))).toEqual(['folder'])
      expect(await other.stat(at('/moved'))).toBeNull()
      expect(await failure(other.open(at('/moved/0')))).toBe('not-found')
      for (const path of ['/folder/new', '/moved', '/moved/new']) expect(await failure(write(other, at(path), 'x'))).toBe('busy')
      expect(await failure(other.remove(at('/folder/0')))).toBe('busy')
      expect(await failure(other.move(at('/folder'), at('/third'), { replace: false }))).toBe('busy')
    },
    PATIENT_MS,
  )

  it(
    'is taken over by another server after a silence, and leaves what came meanwhile',
    async () => {
      await plant(createS3Storage(options))
      await killAt('move', (kinds) => count(kinds, 'DELETE many') === 1)
      // A program that writes to the bucket by itself.
      const program = createS3Storage({ ...options, server: 'program' })
      await Bun.sleep(1100)
      await write(program, at('/folder/0'), 'changed', { replace: true })
      await write(program, at('/folder/late'), 'late')
      await Bun.sleep(1100)
      const other = createS3Storage({ ...options, server: 'two', limits: { ...options.limits, silentMs: 1000 } })
      await other.resume()
      await expectWhole(other, '/moved')
      expect(sortedNames(await other.list(at('/folder')))).toEqual(['0', 'late'])
      expect(await read(other, at('/folder/0'))).toBe('changed')
    },
    PATIENT_MS,
  )
})

describe('keeping a folder', () => {
  it(
    'is ended after a kill, and so is restoring it',
    async () => {
      await plant(createS3Storage(options))
      await killAt('keep', (kinds) => count(kinds, 'COPY') > FILES / 2)
      const storage = createS3Storage(options)
      await storage.resume()
      expect(await storage.stat(at('/folder'))).toBeNull()
      expect(await storage.statKept(KEPT)).toMatchObject({ kind: 'folder', name: 'folder' })
      await killAt('restore', (kinds) => count(kinds, 'COPY') > FILES / 2)
      const again = createS3Storage(options)
      await again.resume()
      await expectWhole(again, '/folder')
      expect(await again.keptNodes('trash')).toEqual([])
    },
    PATIENT_MS,
  )
})

describe('an upload that is killed', () => {
  it(
    'goes on where its durable bytes end, from parts and the tail',
    async () => {
      const child = Bun.spawn([process.execPath, join(import.meta.dir, 's3.crash.child.ts'), JSON.stringify(options), 'upload'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      for await (const chunk of child.stdout) {
        said += new TextDecoder().decode(chunk)
        if (Number(said.trim().split('\n').at(-1)) >= 12 * MIB) break
      }
      child.kill('SIGKILL')
      await child.exited
      const told = Math.max(...said.trim().split('\n').map(Number))
      const storage = createS3Storage(options)
      const staged = storage.stage('upload', { near: at('/large') })
      const size = await staged.size()
      expect(size).toBeGreaterThanOrEqual(told)
      expect(await storage.staged()).toEqual(['upload'])
      await staged.append(new Uint8Array(3 * MIB).fill(255), { at: told })
      await staged.commit(at('/large'), { replace: false })
      await using file = await storage.open(at('/large'))
      expect(file.stat.size).toBe(told + 3 * MIB)
      const bytes = await file.peek(0, file.stat.size)
      for (let chunk = 0; chunk < told / MIB; chunk++) expect([bytes[chunk * MIB], bytes[(chunk + 1) * MIB - 1]]).toEqual([chunk, chunk])
      expect(bytes.subarray(told).every((byte) => byte === 255)).toBe(true)
    },
    PATIENT_MS,
  )

  it(
    'has its parts also on a server without the tail',
    async () => {
      const first = createS3Storage(options)
      await first.stage('upload', { near: at('/large') }).append(new Uint8Array(12 * MIB).fill(1))
      const elsewhere = temporaryFolder()
      const second = createS3Storage({ ...options, folder: elsewhere.folder })
      const staged = second.stage('upload', { near: at('/large') })
      expect(await staged.size()).toBe(10 * MIB)
      await second.stage('upload-1', { near: at('/large') }).adopt('upload', 7 * MIB)
      expect(await second.stage('upload-1', { near: at('/large') }).size()).toBe(7 * MIB)
      expect(await second.staged()).toEqual(['upload-1'])
      elsewhere.dispose()
    },
    PATIENT_MS,
  )
})
