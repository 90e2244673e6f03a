import { expect, it } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinPath, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { isWhole, sealed } from './test-sealed.ts'
import { createLocalStorage } from './local.ts'
import { write } from './test-samples.ts'
import type { Storage } from './storage.ts'
import { RUNTIME_COMMAND } from '../entries/runtime.ts'

const KILLS = 20
const LIVE_IDS = ['save', 'upload', 'copy']
const EXPECTED_NAME = /^(saved-\d|new-\d+-\d+|copied|moved|ping|pong)$/

it('leaves every file complete, old or new, whenever the process is killed (I6)', async () => {
  const root = mkdtempSync(join(tmpdir(), 'crash-'))
  const storage = createLocalStorage(root)
  await write(storage, at('/ping'), sealed(100))
  let files = 0
  for (let kill = 0; kill < KILLS; kill++) {
    await workAndDie(root)
    files += await checkAll(storage)
    const left = await storage.staged()
    expect(left.filter((id) => !LIVE_IDS.includes(id))).toEqual([])
    for (const id of left) await storage.stage(id, { near: ROOT }).discard()
    expect(readdirSync(`${root}/.satchel/staging`)).toEqual([])
  }
  // One round is done before each kill, on a slow disk hardly more.
  expect(files).toBeGreaterThanOrEqual(KILLS * 4)
  rmSync(root, { recursive: true })
}, 300_000)

async function workAndDie(root: string): Promise<void> {
  const child = Bun.spawn([...RUNTIME_COMMAND, `${import.meta.dir}/local.crash.child.ts`, root], { stdout: 'pipe', stderr: 'inherit' })
  const { done } = await child.stdout.getReader().read()
  expect(done).toBe(false)
  await Bun.sleep(Math.random() * 120)
  expect(child.exitCode).toBeNull()
  child.kill('SIGKILL')
  await child.exited
}

/** @returns how many files there were; all but the named ones are cleared away for the next round */
async function checkAll(storage: Storage): Promise<number> {
  const { names } = await storage.list(ROOT)
  for (const name of names) {
    expect(name).toMatch(EXPECTED_NAME)
    await using file = await storage.open(joinPath(ROOT, name))
    expect(isWhole(await file.peek(0, file.stat.size))).toBe(true)
    if (name.startsWith('new-')) await storage.remove(joinPath(ROOT, name))
  }
  expect([...names].filter((name) => name === 'ping' || name === 'pong').length).toBe(1)
  return names.length
}
