import { describe, expect, it } from 'bun:test'
import * as fc from 'fast-check'
import { FILE_RIGHTS, type FileRight, type Grant, ROLES } from '../../shared/contract/rights.ts'
import { isAppError } from '../../shared/errors.ts'
import { type FilePath, nameOf, parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import { NO_RIGHTS } from '../access/permissions.ts'
import { requiringRight } from '../access/requiring.ts'
import { compileRules } from '../access/rules.ts'
import { type Drive, openDrive } from './drive.ts'
import { bytes, deny, manifest, plant, PLAIN, REPLACE } from './samples.suite.ts'

const TREE = { '/in/file': 'i', '/in/sub/deep': 'd', '/out/file': 'o', '/out/sub/deep': 'x', '/own/file': 'w', '/link': '→ out' }
const NODES = ['/in', '/in/file', '/in/sub', '/in/sub/deep', '/out', '/out/file', '/out/sub', '/own', '/own/file'] as const
const BELOW: Readonly<Record<string, readonly string[]>> = {
  '/in': ['', '/file', '/sub', '/sub/deep'],
  '/in/sub': ['', '/deep'],
  '/out': ['', '/file', '/sub', '/sub/deep'],
  '/out/sub': ['', '/deep'],
  '/own': ['', '/file'],
}

type Rights = ReadonlySet<FileRight>

/** Who somebody is: rights where nothing is granted, and what is granted where. */
interface Person {
  readonly own: readonly FileRight[]
  readonly granted: Readonly<Record<string, readonly FileRight[]>>
}

/** What the documentation says, without any code of the server. */
function rightsOf({ own, granted }: Person, path: string): Rights {
  for (let folder = path; folder !== ''; folder = folder.slice(0, folder.lastIndexOf('/'))) {
    const found = granted[folder]
    if (found !== undefined) return new Set(found)
  }
  return new Set(own)
}

interface Operation {
  readonly does: string
  /** Whether this person may. */
  readonly may: (rights: (path: string) => Rights) => boolean
  readonly act: (drive: Drive) => Promise<unknown>
}

const moves = (from: string, to: string, { right, replace = false }: { right: 'create' | 'rename'; replace?: boolean }) => {
  const kept = right === 'rename' ? (['download', 'modify', 'delete'] as const) : (['download'] as const)
  return (rights: (path: string) => Rights): boolean =>
    (BELOW[from] ?? ['']).every((inner) => {
      const [here, there] = [rights(from + inner), rights(to + inner)]
      const lets = right === 'create' ? there.has('create') : here.has('rename') && (there.has('rename') || there.has('create'))
      return lets && (!replace || there.has('modify')) && kept.every((one) => here.has(one) || !there.has(one))
    })
}

const onFile = (path: string): Operation[] => [
  { does: `reads ${path}`, may: (rights) => rights(path).has('download'), act: async (drive) => (await drive.open(at(path))).close() },
  {
    does: `reads ${path} with others`,
    may: (rights) => rights(path).has('download'),
    async act(drive) {
      const { sizes } = await drive.readSmall(at(path.slice(0, path.lastIndexOf('/'))), [nameOf(at(path))], { mostBytes: 10 })
      if (sizes[0] === -1) throw new Refused()
    },
  },
  {
    does: `saves ${path}`,
    may: (rights) => rights(path).has('modify'),
    act: async (drive) => drive.save(at(path), await bytes(drive, at(path), 'new')),
  },
  {
    does: `uploads over ${path}`,
    may: (rights) => rights(path).has('create') && rights(path).has('modify'),
    act: async (drive) => drive.put(at(path), await bytes(drive, at(path), 'new'), { replace: true }),
  },
]

const onNode = (path: string): Operation[] => [
  {
    does: `deletes ${path}`,
    may: (rights) => (BELOW[path] ?? ['']).every((inner) => rights(path + inner).has('delete')),
    act: (drive) => drive.remove(at(path)),
  },
  ...['/in', '/in/sub', '/out', '/own', ''].flatMap((folder): Operation[] => {
    const to = `${folder}/new`
    if (to.startsWith(`${path}/`)) return []
    return [
      {
        does: `moves ${path} to ${to}`,
        may: moves(path, to, { right: 'rename' }),
        act: (drive) => drive.move(at(path), at(to), PLAIN),
      },
      {
        does: `copies ${path} to ${to}`,
        may: moves(path, to, { right: 'create' }),
        act: (drive) => drive.copy(at(path), at(to), PLAIN),
      },
    ]
  }),
]

const inFolder = (folder: string): Operation[] => {
  const [file, deep] = [`${folder}/fresh`, `${folder}/a/b`]
  return [
    {
      does: `uploads to ${folder}`,
      may: (rights) => rights(file).has('create'),
      act: async (drive) => drive.put(at(file), await bytes(drive, at(file), 'new'), { replace: false }),
    },
    { does: `makes folders in ${folder}`, may: (rights) => rights(deep).has('create'), act: (drive) => drive.makeFolder(at(deep)) },
  ]
}

const OPERATIONS: readonly Operation[] = [
  ...NODES.filter((path) => BELOW[path] === undefined).flatMap(onFile),
  ...NODES.flatMap(onNode),
  ...['/in', '/in/sub', '/out', '/own', ''].flatMap(inFolder),
  {
    does: 'moves a file over another',
    may: moves('/in/file', '/out/file', { right: 'rename', replace: true }),
    act: (drive) => drive.move(at('/in/file'), at('/out/file'), REPLACE),
  },
  {
    does: 'copies a file over another',
    may: moves('/in/file', '/out/file', { right: 'create', replace: true }),
    act: (drive) => drive.copy(at('/in/file'), at('/out/file'), REPLACE),
  },
  {
    does: 'reads a file through a link to its folder',
    may: (rights) => rights('/link').has('download') && rights('/out/file').has('download'),
    act: async (drive) => (await drive.open(at('/link/file'))).close(),
  },
  {
    does: 'saves a file through a link to its folder',
    may: (rights) => rights('/link').has('modify') && rights('/out/file').has('modify'),
    act: async (drive) => drive.save(at('/link/file'), await bytes(drive, at('/link/file'), 'new')),
  },
  {
    does: 'uploads through a link to a folder',
    may: (rights) => rights('/link').has('create') && rights('/out').has('create'),
    act: async (drive) => drive.put(at('/link/new'), await bytes(drive, at('/link/new'), 'new'), { replace: false }),
  },
]

class Refused extends Error {}

describe('rights that differ from folder to folder', () => {
  it('decide about every operation at every node as the documentation says, and what is refused changes nothing', async () => {
    const seen = { may: 0, mayNot: 0 }
    await fc.assert(
      fc.asyncProperty(people(), fc.subarray([...OPERATIONS], { minLength: 12, maxLength: 12 }), async (person, operations) => {
        for (const { does, may, act } of operations) {
          const storage = await plant(TREE)
          const before = await manifest(storage)
          const drive = openDrive(storage, accessOf(person))
          const expected = may((path) => rightsOf(person, path))
          expect([does, await outcome(act(drive))]).toEqual([does, expected ? 'done' : 'refused'])
          if (!expected) expect([does, await manifest(storage)]).toEqual([does, before])
          seen[expected ? 'may' : 'mayNot']++
        }
      }),
      { numRuns: 150 },
    )
    // Neither answer is rare, so that the test says something.
    expect(Math.min(seen.may, seen.mayNot)).toBeGreaterThan(200)
  }, 60_000)

  it('are told the same before a lookup, so that who lacks one learns nothing about what is there (decision 004)', async () => {
    const person = { own: [...FILE_RIGHTS], granted: { '/in': [] } }
    const storage = await plant(TREE)
    const drive = openDrive(storage, { ...accessOf(person), rules: rulesOf(person, [deny('/in/sub')]) })
    for (const act of [
      (path: FilePath) => drive.open(path),
      (path: FilePath) => drive.remove(path),
      (path: FilePath) => drive.move(path, at('/own/x'), PLAIN),
      (path: FilePath) => drive.copy(path, at('/own/x'), PLAIN),
      (path: FilePath) => drive.makeFolder(path),
      (path: FilePath) => drive.expect(path, { replace: true }),
      (path: FilePath) => drive.openVersion(path, 'x'),
    ]) {
      const answers = await Promise.all(['/in/file', '/in/sub', '/in/none'].map((path) => codeOf(act(at(path)))))
      expect(new Set(answers).size).toBe(1)
      expect(['forbidden', 'download-refused']).toContain(String(answers[0]))
    }
  })

  it('GHSA-77x8-73f4-5485: a folder is not removed or moved around a part that may not be', async () => {
    const person = { own: [...FILE_RIGHTS], granted: { '/in/sub': ['download' as const] } }
    const storage = await plant(TREE)
    const before = await manifest(storage)
    const drive = openDrive(storage, accessOf(person))
    expect([await codeOf(drive.remove(at('/in'))), await codeOf(drive.move(at('/in'), at('/own/in'), PLAIN))]).toEqual([
      'forbidden',
      'forbidden',
    ])
    expect(await manifest(storage)).toEqual(before)
    // With the mechanism off, the part goes with its folder.
    await openDrive(storage, { ...accessOf(person), rules: rulesOf({ ...person, granted: {} }) }).remove(at('/in'))
    expect(await storage.stat(at('/in/sub'))).toBeNull()
  })

  it('a node that may not be read is not brought to where it could be: not by a copy, a move, or out of the trash', async () => {
    const person = { own: [...FILE_RIGHTS], granted: { '/in': ['create', 'rename', 'delete'] as FileRight[] } }
    const storage = await plant(TREE)
    const drive = openDrive(storage, accessOf(person))
    expect(await codeOf(drive.copy(at('/in/file'), at('/own/x'), PLAIN))).toBe('forbidden')
    expect(await codeOf(drive.move(at('/in/file'), at('/own/x'), PLAIN))).toBe('forbidden')
    const kept = {
      id: '1',
      kept: { area: 'trash', volume: ROOT, id: '1' },
      kind: 'file',
      place: at('/in/file'),
      path: at('/in/file'),
    } as const
    expect(await codeOf(drive.restore(kept, at('/own/x'), PLAIN))).toBe('forbidden')
    // With the mechanism off, the content is read a moment later.
    const off = openDrive(storage, { ...accessOf(person), rules: rulesOf({ ...person, granted: {} }) })
    await off.move(at('/in/file'), at('/own/x'), PLAIN)
    expect(await text(drive, '/own/x')).toBe('i')
  })

  it('a right that is taken ends what is under way at that place, and nothing elsewhere', async () => {
    const storage = await plant(TREE)
    let now = accessOf({ own: [...FILE_RIGHTS], granted: {} })
    const drive = openDrive(storage, { ...now, latest: () => now })
    const [staged, other] = [await bytes(drive, at('/in/new'), 'new'), await bytes(drive, at('/out/new'), 'new')]
    now = accessOf({ own: [...FILE_RIGHTS], granted: { '/in': [...ROLES.viewer] } })
    expect(await codeOf(drive.put(at('/in/new'), staged, { replace: false }))).toBe('forbidden')
    await drive.put(at('/out/new'), other, { replace: false })
  })
})

describe('somebody who comes through its owner’s rights', () => {
  it('reaches only what the owner may share, and no folder is removed around the rest', async () => {
    const storage = await plant(TREE)
    const owner = accessOf({ own: [...FILE_RIGHTS], granted: { '/in/sub': [...ROLES.editor] } })
    const through = openDrive(storage, requiringRight(owner, 'share'))
    expect([...(await through.list(at('/in'))).names]).toEqual(['file'])
    expect(await codeOf(through.open(at('/in/sub/deep')))).toBe('not-found')
    expect(await codeOf(through.remove(at('/in')))).toBe('forbidden')
    // With the mechanism off, what the owner may not share is there.
    expect([...(await openDrive(storage, owner).list(at('/in'))).names]).toEqual(['file', 'sub'])
  })
})

function accessOf(person: Person): Access {
  const own = Object.fromEntries(FILE_RIGHTS.map((right) => [right, person.own.includes(right)]))
  return { scope: ROOT, start: ROOT, may: { ...NO_RIGHTS, ...own }, rules: rulesOf(person), hideDotfiles: false }
}

function rulesOf({ granted }: Person, rules = [] as ReturnType<typeof deny>[]) {
  const grants = Object.entries(granted).map(([path, rights]): Grant => ({ regex: false, path, rights: [...rights] }))
  return compileRules([], rules, { hideDotfiles: false, grants: [grants] })
}

function people(): fc.Arbitrary<Person> {
  const some = fc.oneof(
    fc.constantFrom<readonly FileRight[]>(...Object.values(ROLES), [...FILE_RIGHTS], ['create'], ['rename', 'download'], []),
    fc.subarray([...FILE_RIGHTS]),
  )
  const granted = fc.uniqueArray(fc.tuple(fc.constantFrom('/in', '/in/sub', '/in/sub/deep', '/out', '/out/file', '/own', '/link'), some), {
    maxLength: 4,
    selector: ([path]) => path,
  })
  return fc.record({ own: some, granted: granted.map((list) => Object.fromEntries(list)) })
}

async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Refused || isAppError(error, 'forbidden') || isAppError(error, 'download-refused')) return 'refused'
    throw error
  }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  )
}

async function text(drive: Drive, path: string): Promise<string> {
  await using file = await drive.open(at(path))
  return await new Response(file.stream(0, file.stat.size)).text()
}
