import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { sql } from 'kysely'
import type { Rule } from '../../src/shared/contract/users.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { run } from './run-command.ts'
import { until } from './until.ts'
import { deny, EVERYTHING, type Product, type ProductOptions, startProduct } from './world.ts'

setDefaultTimeout(300_000)

const SECRET = 'nobody-may-read-this'
const PATTERN: Rule = { regex: true, allow: false, path: '', regexp: { raw: 'key$' } }

/** Changes through the server by another user that put something into a denied path. */
const CHANGES: Record<string, { rules?: Rule[]; make: (product: Product) => Promise<unknown> }> = {
  'a save over a denied file': { make: async (product) => upload(product, '/anna/secret.txt') },
  'a save of a text over a denied file': {
    make: async (product) => product.as('ann').resources.save({ params: { path: at('/anna/secret.txt') }, body: SECRET }),
  },
  'a denied file made anew': {
    make: async (product) => {
      await product.as('ann').resources.remove({ params: { path: at('/anna/secret.txt') } })
      await upload(product, '/anna/secret.txt')
    },
  },
  'a denied folder made anew': {
    make: async (product) => {
      await product.as('ann').resources.remove({ params: { path: at('/anna/closed') } })
      await upload(product, '/anna/closed/x.txt')
    },
  },
  'a denied name that was not there': { make: async (product) => upload(product, '/anna/later.txt') },
  'a denied name that a move brings': { make: async (product) => transfer(product, 'rename', '/source.txt', '/anna/later.txt') },
  'a tree with a denied name in it that is copied': { make: async (product) => transfer(product, 'copy', '/tree', '/anna/made') },
  'a denied name through a link': { make: async (product) => upload(product, '/link/later.txt') },
  'a name that a pattern denies': { rules: [PATTERN], make: async (product) => upload(product, '/anna/sub/a.key') },
  'a tree that brings a name that a pattern denies': {
    rules: [PATTERN],
    make: async (product) => transfer(product, 'copy', '/tree', '/anna/made'),
  },
}

/** Reads all that it finds, again and again, until it is ended or has found it. */
const READ_ALL = `while :; do cat $(find /files -type f 2>/dev/null) 2>/dev/null | grep -o ${SECRET} && exit 9; done`

describe('A3: rules hold while a program runs', () => {
  for (const [title, { rules, make }] of Object.entries(CHANGES)) {
    it(`${title}: the program ends before`, async () => {
      await using product = await start(rules)
      const program = await run(product, READ_ALL)
      await make(product)
      expect(await program.over).toEqual({ said: '', ended: 'aborted' })
    })

    it(`${title}: the program can read it if nothing ends the program, so the attack is real`, async () => {
      await using product = await start(rules, { holdsRules: false })
      const program = await run(product, READ_ALL)
      await make(product)
      const { said, ended } = await program.over
      expect([said.includes(SECRET), ended]).toEqual([true, 'exited'])
    })
  }

  it('uploads of others are invisible before they are published, also on a disk without earlier uploads', async () => {
    await using product = await start()
    await product.add('cleo', { rules: [deny('/elsewhere')] })
    await product.db
      .updateTable('users')
      .set({ commands: JSON.stringify(['echo']), version: sql`version + 1` })
      .where('username', '=', 'cleo')
      .execute()
    await rm(join(product.root, '.satchel'), { recursive: true, force: true })
    const program = await run(
      product,
      'while [ ! -e /files/anna/end ]; do ls -A /files/.satchel 2>/dev/null | grep . && exit 9; done',
      'cleo',
    )
    for (let n = 0; n < 20; n++) await upload(product, `/elsewhere/${n}.txt`)
    await upload(product, '/anna/end')
    expect(await program.over).toEqual({ said: '', ended: 'exited' })
    expect(await readdir(join(product.root, '.satchel'))).not.toEqual([])
  })

  it('the trash is out of reach of a program that nothing is denied, also on a disk where nothing had been deleted before', async () => {
    await using product = await start()
    await product.add('cleo')
    await product.db
      .updateTable('users')
      .set({ commands: JSON.stringify(['echo']), version: sql`version + 1` })
      .where('username', '=', 'cleo')
      .execute()
    await product.seed({ '/elsewhere/x.txt': SECRET })
    await rm(join(product.root, '.satchel'), { recursive: true, force: true })
    const program = await run(
      product,
      'while [ ! -e /files/end ]; do sleep 0.05; done; cat /files/.satchel/trash/*/*; for f in /files/.satchel/trash/*/*; do echo changed > $f; done',
      'cleo',
    )
    await product.as('ann').resources.remove({ params: { path: at('/elsewhere/x.txt') } })
    await upload(product, '/end', 'end')
    expect((await program.over).said).not.toContain(SECRET)
    const [entry] = (await product.as('ann').trash.list({ query: {} })).entries
    await product.as('ann').trash.restore({ params: { id: entry?.id ?? '' }, body: {} })
    expect(await product.read('/elsewhere/x.txt')).toBe(SECRET)
  })

  /** In a folder that goes to the trash: `..` is the way to what others deleted, below the mask. */
  const climbFrom = (folder: string): string =>
    `cd ${folder} && : > here; while [ -e ${folder} ]; do sleep 0.05; done; cat ../../*/x.txt ../../../*/x.txt; ls -A /files/.satchel; sleep 1`
  const climb = async (
    options: ProductOptions,
    { rules = [], admin = false, scope = '/' }: { rules?: Rule[]; admin?: boolean; scope?: string } = {},
  ): Promise<{ said: string; ended: string }> => {
    await using product = await start([], options)
    await product.add('cleo', { rules, may: { ...EVERYTHING, admin }, scope })
    await product.db
      .updateTable('users')
      .set({ commands: JSON.stringify(['echo']), version: sql`version + 1` })
      .where('username', '=', 'cleo')
      .execute()
    await product.seed({ '/elsewhere/in/a.txt': 'a', '/x.txt': SECRET })
    await product.as('ann').resources.remove({ params: { path: at('/x.txt') } })
    const isAll = scope === '/'
    const program = await run(product, climbFrom(isAll ? '/files/elsewhere/in' : '/files/in'), 'cleo')
    await until(async () => existsSync(join(product.root, 'elsewhere/in/here')))
    await product.as('ann').resources.remove({ params: { path: at(isAll ? '/elsewhere' : '/elsewhere/in') } })
    return await program.over
  }

  it('A28: a program in a folder that goes to the trash ends before, and does not get there with it', async () => {
    expect(await climb({}, { rules: [deny('/anna/secret.txt')] })).toEqual({ said: '', ended: 'aborted' })
  })

  it('A28: a program of somebody whom nothing is denied ends, too, when its folder goes to the trash', async () => {
    expect(await climb({})).toEqual({ said: '', ended: 'aborted' })
  })

  it('A28: programs in a folder that goes to the trash read what others deleted if nothing ends them, so the attack is real', async () => {
    for (const rules of [[deny('/anna/secret.txt')], []]) {
      const { said, ended } = await climb({ holdsRules: false }, { rules })
      expect([said.includes(SECRET), ended]).toEqual([true, 'exited'])
    }
  })

  it('A28: a program of an administrator in a folder that goes to the trash goes on: the trash shows them everything', async () => {
    expect((await climb({}, { admin: true })).ended).toBe('exited')
  })

  it('A28: a program in a folder that goes to a trash outside its scope goes on, and does not get there', async () => {
    const { said, ended } = await climb({}, { scope: '/elsewhere' })
    expect([said.includes(SECRET), ended]).toEqual([false, 'exited'])
  })

  it('a change that reveals nothing does not end the program', async () => {
    await using product = await start()
    const program = await run(product, 'while [ ! -e /files/end ]; do sleep 0.05; done; cat /files/new.txt')
    await upload(product, '/anna/new.txt', 'new')
    await upload(product, '/anna/closed/more.txt')
    await product.as('ann').resources.remove({ params: { path: at('/anna/secret.txt') } })
    await upload(product, '/elsewhere/later.txt')
    await upload(product, '/anna/end')
    expect(await program.over).toEqual({ said: 'new', ended: 'exited' })
  })

  it('a change by another program of the machine ends it when the disk reports it', async () => {
    for (const change of [
      async ({ root }: Product) => {
        await writeFile(join(root, 'fresh'), 'x')
        await rename(join(root, 'fresh'), join(root, 'anna/secret.txt'))
      },
      async ({ root }: Product) => writeFile(join(root, 'anna/later.txt'), 'x'),
      async ({ root }: Product) => {
        await rm(join(root, 'anna/closed'), { recursive: true })
        await mkdir(join(root, 'anna/closed'))
      },
    ]) {
      await using product = await start()
      const program = await run(product, 'sleep 600')
      await change(product)
      expect(await program.over).toEqual({ said: '', ended: 'aborted' })
    }
  })

  it('a name that a pattern denies, created by another program of the machine, is found by a later scan', async () => {
    await using product = await start([PATTERN])
    const program = await run(product, 'sleep 600')
    await writeFile(join(product.root, 'anna/sub/b.key'), 'x')
    expect(await program.over).toEqual({ said: '', ended: 'aborted' })
  })

  it('disabling an account, or changing its rules or permissions, ends its programs', async () => {
    await using product = await start()
    for (const change of [
      async () => product.setRules('anna', [deny('/secret.txt'), deny('/sub')]),
      async () =>
        product.db
          .updateTable('users')
          .set({ disabled: 1, version: sql`version + 1` })
          .where('username', '=', 'anna')
          .execute(),
    ]) {
      const program = await run(product, 'sleep 600')
      await change()
      expect((await program.over).ended).toBe('aborted')
    }
  })
})

async function start(rules: Rule[] = [], options: ProductOptions = {}): Promise<Product> {
  const product = await startProduct({ storage: 'local', ...options })
  await product.seed({
    '/anna/secret.txt': 'old',
    '/anna/closed/old.txt': 'old',
    '/anna/sub/a.txt': 'a',
    '/elsewhere/': '',
    '/source.txt': SECRET,
    '/tree/in/denied.txt': SECRET,
    '/tree/a.key': SECRET,
  })
  await product.link('/link', join(product.root, 'anna'))
  const denied = ['/secret.txt', '/closed', '/later.txt', '/made/in/denied.txt'].map((path) => deny(path))
  await product.add('anna', { scope: '/anna', rules: [...denied, ...rules] })
  await product.world.settings.change((before) => ({ ...before, shell: ['/bin/sh', '-c'] }))
  const commands = JSON.stringify(['echo', 'while', 'sleep'])
  await product.db
    .updateTable('users')
    .set({ commands, version: sql`version + 1` })
    .execute()
  return product
}

async function upload(product: Product, path: string, body = SECRET): Promise<void> {
  await product.as('ann').resources.upload({ params: { path: at(path) }, query: { override: 'true' }, body })
}

async function transfer(product: Product, action: 'copy' | 'rename', from: string, destination: string): Promise<void> {
  await product.as('ann').resources.transfer({ params: { path: at(from) }, query: { action, destination } })
}
