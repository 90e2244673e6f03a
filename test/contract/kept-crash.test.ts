import { afterEach, beforeEach, expect, it } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killPointsOfRun, runArmed } from '../crash/kill-points.ts'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { RUNTIME_COMMAND } from '../../src/server/entries/runtime.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import type { Kept, OpenFile, Storage } from '../../src/server/storage/storage.ts'
import { sealed } from '../../src/server/storage/test-sealed.ts'
import { failure } from '../../src/server/storage/test-samples.ts'

const NODE: Kept = { area: 'trash', volume: ROOT, id: 'node' }
const VERSION: Kept = { area: 'versions', volume: ROOT, id: 'version' }

let root: string
let storage: Storage
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kept-crash-'))
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

/** Killed before every system call that changes the disk (needs Debian's strace). @param verify what must hold then, done or not */
function killed(operation: string, prepare: () => Promise<unknown>, verify: (isDone: boolean) => Promise<unknown>): void {
  it(`is whole, in one place, wherever it is killed: ${operation}`, async () => {
    const command = [...RUNTIME_COMMAND, `${import.meta.dir}/kept-crash.child.ts`, operation, root]
    const fresh = async (): Promise<void> => {
      rmSync(root, { recursive: true, force: true })
      mkdirSync(`${root}/d/in`, { recursive: true })
      for (const [path, size] of [
        ['a', 1000],
        ['d/b', 500],
        ['d/in/c', 600],
      ] as const)
        writeFileSync(`${root}/${path}`, sealed(size))
      storage = createLocalStorage(root)
      await prepare()
    }
    await fresh()
    const points = await killPointsOfRun(command, {})
    await verify(true)
    expect(points.length).toBeGreaterThan(3)
    for (const point of points) {
      await fresh()
      await verify(await runArmed(command, point))
    }
  }, 300_000)
}

killed(
  'keep',
  async () => undefined,
  async (isDone) => {
    const isKept = (await storage.statKept(NODE)) !== null
    expect(isKept).toBe((await storage.stat(at('/d'))) === null)
    if (isDone) expect(isKept).toBe(true)
    if (isKept) expect(await storage.keptNodes('trash')).toEqual([NODE])
    if (isKept) await storage.restoreKept(NODE, at('/d'), { replace: false })
    await expectWhole('/d')
    // What is left of a killed call is cleared away by its id.
    await storage.dropKept(NODE)
    expect(left('trash')).toEqual([])
  },
)

killed(
  'restore',
  () => storage.keep(at('/d'), NODE),
  async (isDone) => {
    const isKept = (await storage.statKept(NODE)) !== null
    expect(isKept).toBe((await storage.stat(at('/back'))) === null)
    if (isDone) expect(isKept).toBe(false)
    if (isKept) await storage.restoreKept(NODE, at('/back'), { replace: false })
    await expectWhole('/back')
  },
)

killed(
  'restore over',
  async () => {
    await storage.keep(at('/d/b'), NODE)
  },
  async (isDone) => {
    const isKept = (await storage.statKept(NODE)) !== null
    if (isDone) expect(isKept).toBe(false)
    expect(await content(storage.open(at('/a')))).toEqual(sealed(isKept ? 1000 : 500))
    if (isKept) expect(await content(storage.openKept(NODE, ROOT))).toEqual(sealed(500))
  },
)

killed(
  'drop',
  () => storage.keep(at('/d'), NODE),
  async (isDone) => {
    if (isDone) expect(left('trash')).toEqual([])
    // Whole, or out of reach.
    if ((await storage.statKept(NODE)) !== null) {
      await storage.restoreKept(NODE, at('/back'), { replace: false })
      return await expectWhole('/back')
    }
    expect(await failure(storage.restoreKept(NODE, at('/back'), { replace: false }))).toBe('not-found')
    expect(await storage.keptNodes('trash')).toEqual(isDone ? [] : left('trash').length > 0 ? [NODE] : [])
    await storage.dropKept(NODE)
    expect(left('trash')).toEqual([])
  },
)

killed(
  'replace',
  async () => undefined,
  async (isDone) => {
    const bytes = await content(storage.open(at('/a')))
    const isNew = bytes.length !== sealed(1000).length
    expect(bytes).toEqual(sealed(isNew ? 2000 : 1000))
    if (isDone) expect(isNew).toBe(true)
    const version = await storage.statKept(VERSION)
    if (version !== null) expect(await content(storage.openKept(VERSION, ROOT))).toEqual(sealed(1000))
    // What was replaced is kept. Else there is nothing or the file itself.
    if (isNew) expect(version).not.toBeNull()
    else expect([undefined, (await storage.stat(at('/a')))?.identity]).toContain(version?.identity)
    // The upload goes on where it was.
    const staged = storage.stage('upload', { near: at('/a') })
    const isStaged = (await staged.size()) > 0
    if (isStaged) {
      await staged.append(sealed(2000), { at: 0 })
      await staged.commit(at('/a'), { replace: true, keep: { ...VERSION, id: 'again' } })
      expect(await content(storage.open(at('/a')))).toEqual(sealed(2000))
    }
    for (const id of await storage.staged()) await storage.stage(id, { near: ROOT }).discard()
    expect(left('staging')).toEqual([])
  },
)

function left(area: string): string[] {
  const folder = `${root}/.satchel/${area}`
  return existsSync(folder) ? readdirSync(folder) : []
}

/** What was told is there after a power cut, and at no moment in neither place: the order of calls, with the folders that they make durable. */
it.each([
  ['keep', [], ['mkdir node', 'fsync trash', 'rename d', 'fsync node']],
  ['keep', [], ['fsync trash', 'rename d', 'fsync ROOT']],
  ['restore', ['keep'], ['renameat2 back', 'fsync ROOT', 'fsync node', 'rmdir node']],
  ['drop', ['keep'], ['rename node.dropped', 'fsync trash', 'rmdir d', 'rmdir node.dropped']],
  ['replace', [], ['mkdir version', 'link a', 'fsync version', 'renameat2 a', 'unlink upload', 'fsync ROOT']],
  ['replace', [], ['fsync versions', 'renameat2 a']],
  ['replace', [], ['fsync upload', 'renameat2 a']],
])('%s makes each step durable before the next', (operation, before, order) => {
  mkdirSync(`${root}/d`)
  for (const path of ['a', 'd/b']) writeFileSync(`${root}/${path}`, sealed(10))
  const command = (name: string): string[] => [...RUNTIME_COMMAND, `${import.meta.dir}/kept-crash.child.ts`, name, root]
  for (const name of before) Bun.spawnSync(command(name))
  const calls = 'trace=mkdir,rename,renameat2,link,unlink,rmdir,fsync'
  const { stderr } = Bun.spawnSync(['strace', '-f', '-y', '-qq', '-e', calls, ...command(operation)])
  const seen = [...stderr.toString().matchAll(/(\w+)\((.*?)(?:, 0700|, RENAME_\w+)?(?:\) += 0| <unfinished)/g)].map(
    ([, call = '', args = '']) => `${call} ${/([^/"<>]*)[">]*$/.exec(args.replace(`<${root}>`, '<ROOT>'))?.[1]}`,
  )
  let last = -1
  for (const step of order) {
    const index = seen.indexOf(step, last + 1)
    expect(`${step}: ${index > last}`).toBe(`${step}: true`)
    last = index
  }
})

async function expectWhole(folder: string): Promise<void> {
  expect(await content(storage.open(at(`${folder}/b`)))).toEqual(sealed(500))
  expect(await content(storage.open(at(`${folder}/in/c`)))).toEqual(sealed(600))
}

async function content(opening: Promise<OpenFile>): Promise<Uint8Array> {
  await using file = await opening
  return new Uint8Array(await file.peek(0, file.stat.size))
}
