import { expect, it } from 'bun:test'
import { parseFilePath as at } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { driveOn, plant, withMount } from '../drive/samples.suite.ts'
import { createProgress } from './progress.ts'
import { prepareTransfer } from './transfer.ts'

const TREE = { '/a/x': '12', '/a/in/y': '345', '/b': '6789', '/c/z': '0', '/disk/': '' }

it('reports the size of a move to another file system before copying, and the total once it is counted', async () => {
  expect((await move(['/a'])).told).toEqual(['0 of unknown', '2 of 5', '5 of 5'])
  const { told } = await move(['/a', '/b', '/c'], { last: '/c' })
  expect(told.slice(-2)).toEqual(['9 of 10', '10 of 10'])
  for (const line of told) expect(line).toMatch(/of (unknown|10)$/)
})

it('does not count what is only renamed', async () => {
  expect((await move(['/a', '/b'], { mount: '/elsewhere' })).told).toEqual(['0 of unknown'])
  expect((await move(['/disk/moved', '/b'], { tree: { ...TREE, '/disk/moved': 'long long' } })).told.at(-1)).toBe('4 of 4')
})

it('does not wait for the count, and reports the total when counting has finished', async () => {
  const { told } = await move(['/a', '/c'], { walk: (drive) => endless(drive) })
  expect(told).toEqual(['0 of unknown', '2 of unknown', '5 of unknown', '6 of 6'])
})

/** A drive whose folders have no end. */
function endless(drive: Drive): Drive['walk'] {
  return async function* walk(path, { signal } = {}) {
    yield* drive.walk(path)
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))))
  }
}

interface Options {
  mount?: string
  /** What follows `/a` is moved once this folder, the last, is counted. */
  last?: string
  tree?: Record<string, string>
  walk?: (drive: Drive) => Drive['walk']
}

/** Moves all into `/disk`. @returns what the watcher saw, each once */
async function move(
  from: string[],
  { mount = '/disk', tree = TREE, last, walk = (drive) => drive.walk }: Options = {},
): Promise<{ told: string[] }> {
  const plain = driveOn(withMount(await plant(tree), at(mount)))
  const counted = Promise.withResolvers<void>()
  const drive: Drive = {
    ...plain,
    async *walk(path, options) {
      yield* walk(plain)(path, options)
      // What waits for the count has it by then.
      if (path === last) setImmediate(counted.resolve)
    },
    async move(source, to, options) {
      if (last !== undefined && source !== '/a') await counted.promise
      return plain.move(source, to, options)
    },
  }
  const items = from.map((path) => ({ from: path, to: `/disk/new/${path.split('/').at(-1)}`, replace: false, rename: false }))
  const progress = createProgress(() => ({ code: 'not-found', detail: {} }))
  const told: string[] = []
  const look = (): void => {
    const { done, total } = progress.now()
    const line = `${done} of ${total ?? 'unknown'}`
    if (told.at(-1) !== line) told.push(line)
  }
  look()
  const watch = { ...progress, read: (bytes: number) => (progress.read(bytes), look()) }
  const job = await prepareTransfer({ kind: 'move', items }, { drive })
  await job.run({ drive, progress: watch, clientKey: 'ann', signal: new AbortController().signal, changing: async () => {} })
  expect(progress.now().items).toBe(items.length)
  return { told }
}
