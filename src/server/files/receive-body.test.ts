import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import { ALL_RIGHTS } from '../access/permissions.ts'
import { compileRules } from '../access/rules.ts'
import { openDrive } from '../drive/drive.ts'
import { createLocalStorage } from '../storage/local.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { receiveBody } from './receive-body.ts'
import { respondTree } from './tree-response.ts'

describe('the body of an upload', () => {
  it('is aborted when no bytes arrive for a while', async () => {
    const staged = createMemoryStorage().stage('one', { near: ROOT })
    const { body, cancelled } = endless()
    expect(await receiveBody(staged, { ...posted(), body, stallMs: 20 }).catch((error: Error) => error.name)).toBe('TimeoutError')
    expect(await cancelled).toBe(true)
  })

  it('may be slow as long as bytes arrive', async () => {
    const staged = createMemoryStorage().stage('one', { near: ROOT })
    await receiveBody(staged, { ...posted(), body: slow(6, 150), stallMs: 750 })
    expect(await staged.size()).toBe(6)
  })

  it('may also be slow if bytes are written in batches', async () => {
    const root = await mkdtemp(join(tmpdir(), 'intake-'))
    try {
      const staged = createLocalStorage(root).stage('one', { near: ROOT })
      await receiveBody(staged, { ...posted(), body: slow(12, 80), stallMs: 800 })
      expect(await staged.size()).toBe(12)
      const { body } = endless()
      expect(await receiveBody(staged, { ...posted(), body, stallMs: 300 }).catch((error: Error) => error.name)).toBe('TimeoutError')
      expect(await staged.size()).toBe(13)
    } finally {
      await rm(root, { recursive: true })
    }
  })

  it('is refused if it is shorter than its declared length', async () => {
    const staged = createMemoryStorage().stage('one', { near: ROOT })
    const short = receiveBody(staged, { ...posted({ 'content-length': '7' }), body: slow(6, 0) })
    expect(await short.catch((error: Error) => error.message)).toBe('invalid-input')
  })

  it('is an empty file if there is no body', async () => {
    const staged = createMemoryStorage().stage('one', { near: ROOT })
    await receiveBody(staged, { ...posted(), body: null })
    await staged.commit(parseFilePath('/empty'), { replace: false })
  })
})

describe('a tree as one response', () => {
  it('is walked only as far as it is read, and only while the client is connected', async () => {
    const storage = createMemoryStorage()
    for (let i = 0; i < 3000; i++) await storage.makeFolder(parseFilePath(`/folder-with-a-rather-long-name-${i}`))
    const rules = compileRules([], [], { hideDotfiles: false })
    const drive = openDrive(storage, { scope: ROOT, start: ROOT, may: ALL_RIGHTS, rules, hideDotfiles: false })
    let walked = 0
    let ended = false
    const walk = async function* (...args: Parameters<typeof drive.walk>) {
      try {
        for await (const entry of drive.walk(...args)) {
          walked++
          yield entry
        }
      } finally {
        ended = true
      }
    }
    const reader = (await respondTree({ ...drive, strict: () => ({ ...drive, walk }) }, ROOT, () => () => undefined)).body?.getReader()
    await reader?.read()
    await Bun.sleep(20)
    expect(walked).toBeLessThan(1500)
    await reader?.cancel()
    expect(ended).toBe(true)
  })
})

function posted(headers: Record<string, string> = {}): { request: Request } {
  return { request: new Request('http://x/', { method: 'POST', headers }) }
}

function endless(): { body: ReadableStream<Uint8Array>; cancelled: Promise<boolean> } {
  const { promise: cancelled, resolve } = Promise.withResolvers<boolean>()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Uint8Array.of(1)),
    cancel: () => resolve(true),
  })
  return { body, cancelled }
}

function slow(bytes: number, everyMs: number): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(everyMs)
      controller.enqueue(Uint8Array.of(sent++))
      if (sent === bytes) controller.close()
    },
  })
}
