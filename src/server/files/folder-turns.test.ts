import { beforeAll, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import { ALL_RIGHTS } from '../access/permissions.ts'
import { compileRules } from '../access/rules.ts'
import { openDrive } from '../drive/drive.ts'
import { createLocalStorage } from '../storage/local.ts'
import { respondFolder, respondFolderInParts, type FolderRequest } from './folder-response.ts'
import { createFolderWriter } from './folder-writer.ts'

const ALL = { scope: ROOT, start: ROOT, may: ALL_RIGHTS, rules: compileRules([], [], { hideDotfiles: false }), hideDotfiles: false }

let root: string

describe('R17: long folders', () => {
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'turns-'))
    for (const folder of ['many', 'few']) mkdirSync(join(root, folder))
    for (let n = 0; n < 2500; n++) writeFileSync(join(root, 'many', `file ${n}.txt`), 'x')
  })

  it('are read and sorted one after another, even if a client leaves or a folder cannot be read', async () => {
    using work = await longFolder()
    const asked = [
      work.ask('rows'),
      work.ask('items'),
      work.ask('rows', { fails: true }),
      work.ask('rows', { leaves: true }),
      work.ask('items'),
    ]
    const answers = await Promise.allSettled(asked)
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(work.most).toBe(1)
  })

  it('are also processed one after another when sent in parts', async () => {
    using work = await longFolder()
    const answers = await Promise.all([1, 2, 3].map(() => work.askInParts()))
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(texts).size).toBe(1)
    expect(work.most).toBe(1)
  })

  it('do not delay short ones, or the next long one while a client is receiving the last', async () => {
    using work = await longFolder()
    const slow = await work.ask('items')
    expect((await work.ask('items')).status).toBe(200)
    expect(await slow.json()).toMatchObject({ numFiles: 2500 })
    await work.writer.slots.run('ann', async () => {
      const drive = openDrive(createLocalStorage(root), ALL)
      const short = await drive.stat(parseFilePath('/few'))
      expect((await respondFolder(drive, short, work.wish('rows'))).status).toBe(200)
    })
  })

  it('of one client delay another client only by a few', async () => {
    using work = await longFolder()
    const answered: string[] = []
    const asking = ['ann', 'ann', 'ann', 'ann', 'bob'].map(async (clientKey) => {
      await work.ask('rows', { clientKey })
      answered.push(clientKey)
    })
    await Promise.all(asking)
    expect(answered.indexOf('bob')).toBeLessThanOrEqual(2)
    expect(answered).toHaveLength(5)
  })
})

/** A folder that counts how often it is being read or put in order at the same time. */
async function longFolder() {
  const plain = openDrive(createLocalStorage(root), ALL)
  const inner = createFolderWriter()
  const found = await plain.stat(parseFilePath('/many'))
  const entry = { ...found, stat: { ...found.stat, size: 1e6 } }
  let now = 0
  let most = 0
  const drive = {
    ...plain,
    async list(...args: Parameters<typeof plain.list>) {
      most = Math.max(most, ++now)
      return plain.list(...args)
    },
  }
  const writer = { ...inner, sort: (task: Parameters<typeof inner.sort>[0]) => inner.sort(task).finally(() => now--) }
  const failing = {
    ...plain,
    list: async () => {
      throw new Error('cannot be read')
    },
  }
  const wish = (
    form: 'rows' | 'items',
    { signal, clientKey = 'ann' }: { signal?: AbortSignal; clientKey?: string } = {},
  ): FolderRequest => ({
    request: new Request('http://localhost/', { signal }),
    local: true,
    clientKey,
    writer,
    form,
    sorting: { by: 'name', asc: false },
    asked: '/many/',
    typeDetectionByHeader: false,
  })
  return {
    writer,
    wish,
    ask(form: 'rows' | 'items', { fails = false, leaves = false, clientKey = 'ann' } = {}) {
      const left = new AbortController()
      const answer = respondFolder(fails ? failing : drive, entry, wish(form, { signal: left.signal, clientKey }))
      if (leaves) left.abort()
      return answer
    },
    askInParts: () => respondFolderInParts(drive, entry, wish('rows')),
    get most() {
      return most
    },
    [Symbol.dispose]: () => inner[Symbol.dispose](),
  }
}
