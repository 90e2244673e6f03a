import { describe, expect, it } from 'bun:test'
import { SharedResource } from '../../src/shared/contract/public.ts'
import type { ShareRights, ShareInput } from '../../src/shared/contract/shares.ts'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { EVERYTHING, HOUR_MS, type Product, startProduct } from './world.ts'

/** A link of each kind there is: to what, and on which terms. */
const KINDS = {
  'a file': { path: '/docs/a.txt', wish: {} },
  'a file, with a password': { path: '/docs/a.txt', wish: { password: 'pass' } },
  'a folder': { path: '/docs', wish: {} },
  'a folder, with a password and an end': { path: '/docs', wish: { password: 'pass', expires: 2, unit: 'hours' } },
  'a folder, by a name': { path: '/docs', wish: { slug: 'papers' } },
  'a folder, for two downloads': { path: '/docs', wish: { maxDownloads: 2 } },
  'a folder, to look at': { path: '/docs', wish: { rights: 'view' } },
  'a folder, to be changed': { path: '/docs', wish: { rights: 'edit', password: 'pass' } },
  'a drop box for two files': {
    path: '/docs',
    wish: { rights: 'drop', drop: { maxFile: 0, maxFiles: 2, maxBytes: 0, types: [] } },
  },
} as const satisfies Record<string, { path: string; wish: ShareInput }>

type Kind = keyof typeof KINDS

interface Link {
  readonly product: Product
  readonly kind: Kind
  readonly hash: string
}

/** What may happen to a link between two uses of it, and whether it is good afterwards (security A.5, invariant I8). */
const LIVES: Record<string, { happens: (link: Link) => Promise<unknown>; stays: boolean | ((kind: Kind) => boolean) }> = {
  'nothing happens': { happens: async () => {}, stays: true },
  'its owner signs out everywhere': { happens: ({ product }) => product.as('ann').session.everywhere({}), stays: true },
  'its owner has a new password': {
    happens: async ({ product }) => product.world.users.setPassword((await product.account('ann')).id, 'another long password'),
    stays: true,
  },
  'its owner may share no more': { happens: ({ product }) => product.setRights('ann', { ...EVERYTHING, share: false }), stays: false },
  'its owner may download no more': {
    happens: ({ product }) => product.setRights('ann', { ...EVERYTHING, download: false }),
    // Names can still be read, and something put in.
    stays: (kind) => ['view', 'drop'].includes(rightsOf(kind)),
  },
  'its owner may create no more': {
    happens: ({ product }) => product.setRights('ann', { ...EVERYTHING, create: false }),
    stays: (kind) => rightsOf(kind) !== 'drop',
  },
  'it is used by somebody else': {
    happens: ({ product, kind, hash }) => use(product, kind, hash),
    // Those two have been used up then.
    stays: (kind) => kind !== 'a folder, for two downloads' && rightsOf(kind) !== 'drop',
  },
  'it has a beginning, which has come': {
    happens: ({ product, hash }) =>
      product
        .as('ann')
        .shares.change({ params: { hash }, body: { starts: Math.floor(Date.now() / 1000) + 1 } })
        .then(() => product.pass(1000)),
    stays: true,
  },
  'its owner is switched off': {
    happens: async ({ product }) => product.world.users.setDisabled((await product.account('ann')).id, { disabled: true }),
    stays: false,
  },
  'its owner is gone': { happens: async ({ product }) => product.world.users.remove((await product.account('ann')).id), stays: false },
  'a rule closes it': {
    happens: ({ product }) => product.setRules('ann', [{ regex: false, allow: false, path: '/docs', regexp: null }]),
    stays: false,
  },
  'it is renamed here': {
    happens: ({ product }) =>
      product.as('ann').resources.transfer({ params: { path: at('/docs') }, query: { action: 'rename', destination: '/papers' } }),
    stays: true,
  },
  'it is saved here': {
    happens: ({ product }) => product.as('ann').resources.save({ params: { path: at('/docs/a.txt') }, body: 'text' }),
    stays: true,
  },
  'it is overwritten here': {
    happens: ({ product }) =>
      product.as('ann').resources.upload({ params: { path: at('/docs/a.txt') }, query: { override: 'true' }, body: 'text' }),
    stays: true,
  },
  'it is replaced from outside': {
    async happens({ product }) {
      await product.storage.remove(at('/docs/a.txt'))
      await product.seed({ '/docs/a.txt': 'a newcomer' })
    },
    // The folder is the same folder still.
    stays: (kind) => KINDS[kind].path === '/docs',
  },
  'it is deleted here, and made anew': {
    async happens({ product }) {
      await product.as('ann').resources.remove({ params: { path: at('/docs') } })
      await product.seed({ '/docs/a.txt': 'a newcomer' })
    },
    stays: false,
  },
  'its time is over': { happens: async ({ product }) => product.pass(3 * HOUR_MS), stays: (kind) => !('expires' in KINDS[kind].wish) },
  'it is taken back': { happens: ({ product, hash }) => product.as('ann').shares.remove({ params: { hash } }), stays: false },
  'the server starts anew': { happens: async ({ product }) => product.restart(), stays: true },
}

for (const kind of Object.keys(KINDS) as Kind[]) {
  describe(`a link to ${kind} (A5-4)`, () => {
    for (const [life, { happens, stays }] of Object.entries(LIVES)) {
      const good = typeof stays === 'function' ? stays(kind) : stays
      it(`is ${good ? 'good' : 'as if it never was'} when ${life}`, async () => {
        await using product = await startProduct({ storage: 'local' })
        await product.seed({ '/docs/a.txt': 'text' })
        const { path, wish } = KINDS[kind]
        const { hash } = await product.as('ann').shares.create({ params: { path: at(path) }, body: JSON.stringify(wish) })
        expect(await use(product, kind, hash)).toBe('text')
        await happens({ product, kind, hash })
        const never = await use(product, kind, 'neverwas')
        const content = life === 'it is replaced from outside' && isRead(kind) ? 'a newcomer' : 'text'
        expect(await use(product, kind, hash)).toBe(good ? content : never)
      })
    }
  })
}

function rightsOf(kind: Kind): ShareRights {
  const wish: ShareInput = KINDS[kind].wish
  return wish.rights ?? 'download'
}

/** Whether what is used of it is the content of the file. */
function isRead(kind: Kind): boolean {
  return !['view', 'drop'].includes(rightsOf(kind))
}

/** The text behind a link, by somebody who knows its password, or what stands for it; or how the link refuses. */
async function use(product: Product, kind: Kind, hash: string): Promise<string> {
  const headers = { 'x-share-password': 'pass' }
  const name = hash !== 'neverwas' && kind === 'a folder, by a name' ? 'Papers' : hash
  if (rightsOf(kind) === 'drop') return drop(product, name)
  const share = await product.ask(`/api/public/share/${name}`, { headers })
  const told = share.ok ? SharedResource.parse(await share.json()) : null
  if (rightsOf(kind) === 'view') return told === null ? `${share.status} ${await share.text()}` : 'text'
  const file = await product.ask(`/api/public/dl/${name}${told?.isDir === true ? '/a.txt' : ''}`, { headers })
  return file.ok ? file.text() : `${file.status} ${await file.text()}`
}

async function drop(product: Product, hash: string): Promise<string> {
  const address = `/api/public/tus/${hash}/${crypto.randomUUID()}/dropped.txt`
  const headers = { 'tus-resumable': TUS_VERSION, 'upload-length': '4', 'content-type': OFFSET_MEDIA_TYPE }
  const answer = await product.ask(address, { method: 'POST', headers, body: 'text' })
  return answer.status === 201 ? 'text' : `${answer.status} ${await answer.text()}`
}

it('a link whose server is killed during a save is valid for both versions, and for one after the next save', async () => {
  await using product = await startProduct({ storage: 'local' })
  await product.seed({ '/a.txt': 'text' })
  const { hash } = await product.as('ann').shares.create({ params: { path: at('/a.txt') }, body: '{}' })
  const { identity } = await product.db.selectFrom('shares').select('identity').executeTakeFirstOrThrow()
  const open = () => product.ask(`/api/public/share/${hash}`)
  for (const both of [`${identity} 1:2:3`, `1:2:3 ${identity}`]) {
    await product.db.updateTable('shares').set({ identity: both }).execute()
    expect((await open()).status).toBe(200)
  }
  await product.as('ann').resources.save({ params: { path: at('/a.txt') }, body: 'new' })
  expect((await product.db.selectFrom('shares').select('identity').executeTakeFirstOrThrow()).identity).not.toContain(' ')
  expect((await open()).status).toBe(200)
})
