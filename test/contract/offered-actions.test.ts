import { expect, it, setDefaultTimeout } from 'bun:test'
import type { Client } from '../../src/shared/contract/client.ts'
import type { api } from '../../src/shared/contract/index.ts'
import type { Permissions } from '../../src/shared/contract/users.ts'
import { isAppError } from '../../src/shared/errors.ts'
import { encodeFilePath, type FilePath, joinPath, parseFilePath } from '../../src/shared/file-path.ts'
import { NO_RIGHTS, RIGHTS } from '../../src/server/access/permissions.ts'
import {
  type ActionName,
  isAvailable,
  type ActionRule,
  ACTION_RULES,
  type ActionContext,
} from '../../src/web/screens/files/action-rules.ts'
import { tarOf } from './archive-samples.ts'
import { until } from './until.ts'
import { startProduct } from './world.ts'

setDefaultTimeout(300_000)

type Who = Client<typeof api>
/** What is chosen, by the names below a folder of its own. */
type Chosen = readonly ('a.txt' | 'folder' | 'packed.tar')[]

const FILES = { 'a.txt': 'a', 'folder/b.txt': 'b', 'elsewhere/c.txt': 'c', 'packed.tar': tarOf([{ name: 'inner.txt', text: 'packed' }]) }
const SELECTIONS: readonly Chosen[] = [[], ['a.txt'], ['folder'], ['packed.tar'], ['a.txt', 'folder']]
const HELD = [null, 'copy', 'move'] as const

/** What the web asks of the server for each action; none where it stays in the page. */
const CALLS: Record<ActionName, ((who: Who, at: FilePath, chosen: Chosen, held: ActionContext['held']) => Promise<unknown>) | null> = {
  open: (who, at, chosen) => each(at, chosen, (path) => who.resources.rows({ params: { path } })),
  download: async (who, at, chosen) => {
    const single = chosen.length === 1 && chosen[0] !== 'folder'
    const files = chosen.length > 1 ? [...chosen] : undefined
    const path = chosen.length === 1 ? joinPath(at, chosen[0] ?? '') : at
    const response = await who.raw.get({ params: { path }, query: single ? {} : { algo: 'zip', ...(files && { files }) } })
    await response.body?.cancel()
  },
  share: (who, at, chosen) => each(at, chosen, (path) => who.shares.create({ params: { path }, body: '' })),
  star: (who, at, chosen) => each(at, chosen, (path) => who.favourites.star({ params: { path } })),
  unstar: (who, at, chosen) => each(at, chosen, (path) => who.favourites.unstar({ params: { path } })),
  rename: (who, at, chosen) => each(at, chosen, (path) => transfer(who, 'rename', path, joinPath(at, 'another name'))),
  cut: null,
  'copy-held': null,
  paste: (who, at, _, held) =>
    transfer(who, held === 'copy' ? 'copy' : 'rename', parseFilePath(`${at}/elsewhere/c.txt`), joinPath(at, 'c.txt')),
  copy: (who, at, chosen) => each(at, chosen, (path, name) => transfer(who, 'copy', path, parseFilePath(`${at}/elsewhere/${name}`))),
  move: (who, at, chosen) => each(at, chosen, (path, name) => transfer(who, 'rename', path, parseFilePath(`${at}/elsewhere/${name}`))),
  'extract-here': (who, at) => extract(who, at, at),
  'extract-to': (who, at) => extract(who, at, joinPath(at, 'elsewhere')),
  compress: (who, at, chosen) => {
    const paths = chosen.map((name) => joinPath(at, name))
    return done(who, { kind: 'pack', paths, destination: joinPath(at, 'new.zip'), format: 'zip' })
  },
  delete: (who, at, chosen) => each(at, chosen, (path) => who.resources.remove({ params: { path }, query: {} })),
  'delete-permanently': (who, at, chosen) =>
    each(at, chosen, (path) => who.resources.remove({ params: { path }, query: { permanent: 'true' } })),
  // Of what was done before.
  undo: null,
  redo: null,
  'trash-here': (who, at, chosen) => who.trash.list({ query: { path: chosen[0] === undefined ? at : joinPath(at, chosen[0]) } }),
  activity: (who, at, chosen) =>
    who.operations.list({ query: { path: chosen[0] === undefined ? at : joinPath(at, chosen[0]), below: 'true' } }),
  access: (who, at, chosen) => who.access.get({ params: { path: chosen[0] === undefined ? at : joinPath(at, chosen[0]) } }),
  rewind: (who, at, chosen) =>
    who.rewind.preview({ query: { path: chosen[0] === undefined ? at : joinPath(at, chosen[0]), to: '2126-01-01T00:00Z' } }),
  usage: (who, at, chosen) =>
    who.sizes.folder({ params: { path: chosen[0] === undefined ? at : joinPath(at, chosen[0]) }, query: { children: 'true' } }),
  versions: async (who, at, [name = '']) => {
    await who.versions.list({ params: { path: joinPath(at, name) } })
  },
  snapshots: (who, at, chosen) => who.snapshots.list({ params: { path: chosen[0] === undefined ? at : joinPath(at, chosen[0]) } }),
  info: (who, at, chosen) => each(at, chosen, (path) => who.resources.get({ params: { path } })),
  'upload-files': async (who, at) => {
    await who.resources.upload({ params: { path: joinPath(at, 'small.bin') }, body: 'small' })
    await who.tus.create({ params: { path: joinPath(at, 'large.bin') }, headers: { 'upload-length': '9' } })
  },
  'upload-folder': (who, at) => who.resources.upload({ params: { path: joinPath(at, 'tree'), slash: true }, body: '' }),
  'new-folder': (who, at) => who.resources.upload({ params: { path: joinPath(at, 'made'), slash: true }, body: '' }),
  'new-file': (who, at) => who.resources.upload({ params: { path: joinPath(at, 'new.txt') }, body: '' }),
  'select-all': null,
  'select-multiple': null,
  filter: null,
  clear: null,
  parent: (who, at) => who.resources.rows({ params: { path: at } }),
}

it('the server refuses no action that the web offers: every combination of permissions × every action × every selection', async () => {
  await using product = await startProduct()
  const { scope } = await product.account('ann')
  const ann = product.as('ann')
  const refused: string[] = []
  let tried = 0
  for (const perm of mixtures()) {
    await product.setRights('ann', perm)
    for (const [name, call] of Object.entries(CALLS) as [ActionName, (typeof CALLS)[ActionName]][]) {
      if (call === null || (isLong(name) && !isLeast(name, perm))) continue
      for (const { chosen, held } of situations(name, perm)) {
        const at = parseFilePath(`/${(tried += 1)}`)
        await product.seed(
          Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`${scope}${at}/${path}`.replace('//', '/'), text])),
        )
        try {
          await call(ann, at, chosen, held)
        } catch (error) {
          refused.push(`${rightsIn(perm)}: ${name} of ${chosen.join(' and ')} → ${isAppError(error) ? error.code : String(error)}`)
        }
      }
    }
  }
  expect(refused).toEqual([])
  // Whoever may do more is offered more.
  expect(tried).toBeGreaterThan(800)
})

/** Of the rights by which anything is offered, nobody having any other; and an administrator who has nothing else. */
function mixtures(): Permissions[] {
  const offers: readonly ActionRule[] = Object.values(ACTION_RULES)
  const rights = RIGHTS.filter((one) => offers.some(({ right, also }) => one === right || one === also))
  const all = Array.from({ length: 2 ** rights.length }, (_, bits) =>
    Object.fromEntries(rights.map((right, at) => [right, (bits & (1 << at)) !== 0])),
  )
  return [...all.map((some) => ({ ...NO_RIGHTS, ...some })), { ...NO_RIGHTS, admin: true }]
}

/** In which an action is offered, each that makes a difference once. */
function situations(name: ActionName, perm: Permissions): { chosen: Chosen; held: ActionContext['held'] }[] {
  const { about } = ACTION_RULES[name]
  const selections = about === 'held' ? [[]] : about === 'nothing' && !['download', 'info'].includes(name) ? [[]] : SELECTIONS
  return selections.flatMap((chosen) =>
    (about === 'held' ? HELD : [null]).flatMap((held) => {
      const [only] = chosen.length === 1 ? chosen : []
      const situation = {
        perm,
        selected: chosen.length,
        archive: only === 'packed.tar',
        folder: only === 'folder',
        broken: false,
        starred: name === 'unstar',
        held,
      }
      return isAvailable(name, situation) ? [{ chosen, held }] : []
    }),
  )
}

/** What begins long work or has a limit of number, for which one mixture stands for all that have more. */
function isLong(name: ActionName): boolean {
  return ['extract-here', 'extract-to', 'compress', 'star', 'unstar'].includes(name)
}

function isLeast(name: ActionName, perm: Permissions): boolean {
  const { right, also }: ActionRule = ACTION_RULES[name]
  return perm.admin || RIGHTS.every((one) => perm[one] === (one === right || one === also))
}

function each(at: FilePath, chosen: Chosen, call: (path: FilePath, name: string) => Promise<unknown>): Promise<unknown> {
  return Promise.all(chosen.map((name) => call(joinPath(at, name), name)))
}

function transfer(who: Who, action: 'copy' | 'rename', path: FilePath, to: FilePath): Promise<unknown> {
  return who.resources.transfer({ params: { path }, query: { action, destination: encodeFilePath(to) } })
}

function extract(who: Who, at: FilePath, destination: FilePath): Promise<unknown> {
  return done(who, { kind: 'extract', path: joinPath(at, 'packed.tar'), destination })
}

/** A job, until it has ended: a few may run at once. */
async function done(who: Who, body: Parameters<Who['jobs']['start']>[0]['body']): Promise<void> {
  const { id } = await who.jobs.start({ body })
  await until(async () => (await who.jobs.list({})).every((job) => job.id !== id || !['waiting', 'running'].includes(job.state)))
}

function rightsIn(perm: Permissions): string {
  return RIGHTS.filter((right) => perm[right]).join(' ') || 'nothing'
}
