import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { createBubblewrap } from '../../src/server/sandbox/bubblewrap.ts'
import type { Layer } from '../../src/server/sandbox/launch-steps.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import type { Storage } from '../../src/server/storage/storage.ts'
import { type Disk, mountDisk } from './disk.ts'
import { run } from './run-command.ts'
import { deny, EVERYTHING, type Product, type ProductOptions, startProduct } from './world.ts'

setDefaultTimeout(300_000)

const SECRET = 'nobody-may-read-this'
/** Everything that a program finds in private folders, by any path. */
const LOOK = 'find /files -path "*/.satchel/*" 2>/dev/null; grep -rl nobody-may-read-this /files 2>/dev/null; true'
const LOOK_ALWAYS = `while :; do [ -n "$(${LOOK})" ] && echo found && exit 9; sleep 0.01; done`

/** As until November 2026: only mounts are known. */
const onlyMounts = (storage: Storage): Storage => ({
  ...storage,
  privatePlaces: async (folder) => (await storage.privatePlaces(folder)).filter(({ path }) => path === ROOT),
})

let home: string
let root: string
let disk: Disk
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-subvolumes-'))
  root = join(home, 'root')
  disk = mountDisk('btrfs', { home, at: root })
})
afterEach(() => {
  disk[Symbol.dispose]()
  rmSync(home, { recursive: true })
})

/** Subvolumes that are no mounts. A Btrfs disk is mounted, so this needs root, like the tests of faults.test.ts. */
describe('A26: a program in the sandbox, on Btrfs', () => {
  const SUBVOLUMES = { 'a subvolume': '/sub', 'a subvolume in a folder': '/a/b/sub', 'a subvolume in another one': '/outer/sub' }
  const layOut = (): void => {
    mkdirSync(join(root, 'a/b'), { recursive: true })
    for (const path of ['sub', 'a/b/sub', 'outer', 'outer/sub']) btrfs('subvolume', 'create', path)
  }
  for (const [title, path] of Object.entries(SUBVOLUMES)) {
    it(`sees no upload, trash or version of others in ${title}, also after a restart`, async () => {
      layOut()
      await fill(path)
      for (const who of ['anna', 'cleo']) {
        await using product = await start()
        expect(await (await run(product, LOOK, who)).over).toEqual({ said: '', ended: 'exited' })
      }
    })

    it(`finds them in ${title} if only mounts are masked, so the attack is real`, async () => {
      layOut()
      await fill(path)
      await using product = await start({ around: onlyMounts, holdsRules: false })
      const { said } = await (await run(product, LOOK)).over
      for (const area of ['staging', 'trash', 'versions']) expect(said).toContain(`${path}/.satchel/${area}/`)
    })
  }

  const SNAPSHOTS: Record<string, (product: Product) => unknown> = {
    'a snapshot': () => btrfs('subvolume', 'snapshot', 'sub', 'copy'),
    'a read-only snapshot': () => btrfs('subvolume', 'snapshot', '-r', 'sub', 'copy'),
    'a snapshot of everything': () => btrfs('subvolume', 'snapshot', '.', 'copy'),
  }
  for (const [title, make] of Object.entries(SNAPSHOTS)) {
    it(`does not see their copies in ${title}`, async () => {
      btrfs('subvolume', 'create', 'sub')
      await fill('/sub')
      await fill('/')
      await using product = await start()
      make(product)
      expect(await (await run(product, LOOK)).over).toEqual({ said: '', ended: 'exited' })
    })

    it(`ends within seconds when another program of the machine makes ${title}`, async () => {
      btrfs('subvolume', 'create', 'sub')
      await fill('/sub')
      await fill('/')
      await using product = await start()
      const program = await run(product, 'sleep 600', 'cleo')
      make(product)
      expect(await program.over).toEqual({ said: '', ended: 'aborted' })
    })
  }

  it('does not see their copies where the served folder is a folder of a subvolume, and a snapshot of that lies in it', async () => {
    mkdirSync(join(root, 'in/served'), { recursive: true })
    const options = { storage: { folder: join(root, 'in/served') } }
    await fill('/', options)
    btrfs('subvolume', 'snapshot', '.', 'in/served/copy')
    expect(existsSync(join(root, 'in/served/copy/in/served/.satchel/trash'))).toBe(true)
    await using product = await start(options)
    expect(await (await run(product, LOOK)).over).toEqual({ said: '', ended: 'exited' })
  })

  it('does not see them by a second path of the same folder', async () => {
    mkdirSync(join(root, 'd'))
    mkdirSync(join(root, 'bound'))
    command('mount', '--bind', join(root, 'd'), join(root, 'bound'))
    try {
      await fill('/bound')
      expect(existsSync(join(root, 'd/.satchel/trash'))).toBe(true)
      await using product = await start()
      expect(await (await run(product, LOOK)).over).toEqual({ said: '', ended: 'exited' })
    } finally {
      command('umount', join(root, 'bound'))
    }
  })

  const USES: Record<string, (product: Product) => Promise<unknown>> = {
    'something is deleted': async (product) => product.as('ann').resources.remove({ params: { path: at('/new/secret.txt') } }),
    'a file is replaced': async (product) => upload(product, '/new/secret.txt', 'x'),
    'a file is uploaded': async (product) => upload(product, '/new/more.txt', 'x'),
  }
  for (const [title, use] of Object.entries(USES)) {
    const happen = async (options: ProductOptions) => {
      await using product = await start(options)
      const program = await run(product, `while :; do ls -A /files/new/.satchel 2>/dev/null | grep . && exit 9; done`, 'cleo')
      btrfs('subvolume', 'create', 'new')
      writeFileSync(join(root, 'new/secret.txt'), SECRET)
      await use(product)
      return await program.over
    }

    it(`ends before ${title} in a subvolume that was made while it ran`, async () => {
      expect(await happen({})).toEqual({ said: '', ended: 'aborted' })
    })

    it(`sees the private folder there if nothing ends it when ${title}, so the attack is real`, async () => {
      const { said, ended } = await happen({ holdsRules: false })
      expect([/staging|trash|versions/.test(said), ended]).toEqual([true, 'exited'])
    })
  }

  const BRINGS: Record<string, (product: Product) => Promise<unknown>> = {
    'a subvolume is moved': (product) => rename(product, '/elsewhere/sub', '/cleo/sub'),
    'a folder with a subvolume is moved': (product) => rename(product, '/elsewhere', '/cleo/elsewhere'),
    'a folder with a subvolume is restored': async (product) => {
      const { entries } = await product.as('ann').trash.list({ query: {} })
      const folder = entries.find(({ name }) => name === 'folder')
      await product.as('ann').trash.restore({ params: { id: folder?.id ?? '' }, body: {} })
    },
  }
  for (const [title, bring] of Object.entries(BRINGS)) {
    const happen = async (options: ProductOptions) => {
      for (const folder of ['elsewhere', 'cleo/folder']) mkdirSync(join(root, folder), { recursive: true })
      btrfs('subvolume', 'create', 'elsewhere/sub')
      btrfs('subvolume', 'create', 'cleo/folder/sub')
      await fill('/elsewhere/sub')
      await fill('/cleo/folder/sub')
      await using product = await start(options)
      await product.add('mia', { scope: '/cleo' })
      await mayRun(product)
      await product.as('ann').resources.remove({ params: { path: at('/cleo/folder') } })
      const program = await run(product, LOOK_ALWAYS, 'mia')
      await bring(product)
      return await program.over
    }

    it(`ends before ${title} into its sight`, async () => {
      expect(await happen({})).toEqual({ said: '', ended: 'aborted' })
    })

    it(`finds the private folder if nothing ends it when ${title} into its sight, so the attack is real`, async () => {
      expect(await happen({ holdsRules: false })).toEqual({ said: 'found\n', ended: 'exited' })
    })
  }

  it('ends within seconds when a subvolume is moved by another program of the machine', async () => {
    mkdirSync(join(root, 'cleo'))
    btrfs('subvolume', 'create', 'sub')
    await fill('/sub')
    await using product = await start()
    await product.add('mia', { scope: '/cleo' })
    await mayRun(product)
    const program = await run(product, 'sleep 600', 'mia')
    renameSync(join(root, 'sub'), join(root, 'cleo/sub'))
    expect(await program.over).toEqual({ said: '', ended: 'aborted' })
  })

  it('ends within seconds when a disk with a private folder is mounted in its sight', async () => {
    mkdirSync(join(root, 'place'))
    mkdirSync(join(home, 'disk'))
    command('mount', '-t', 'tmpfs', 'none', join(home, 'disk'))
    try {
      mkdirSync(join(home, 'disk/.satchel'))
      await using product = await start()
      const program = await run(product, 'sleep 600', 'cleo')
      command('mount', '--bind', join(home, 'disk'), join(root, 'place'))
      expect(await program.over).toEqual({ said: '', ended: 'aborted' })
      command('umount', join(root, 'place'))
    } finally {
      command('umount', join(home, 'disk'))
    }
  })

  it('goes on where nothing of this happens', async () => {
    btrfs('subvolume', 'create', 'sub')
    mkdirSync(join(root, 'plain'))
    await fill('/sub')
    await using product = await start()
    const program = await run(product, 'while [ ! -e /files/end ]; do sleep 0.05; done; cat /files/sub/new.txt', 'cleo')
    await upload(product, '/sub/new.txt', 'new')
    await product.as('ann').resources.remove({ params: { path: at('/sub/second.txt') } })
    await rename(product, '/plain', '/other')
    btrfs('subvolume', 'create', 'empty')
    await Bun.sleep(2500)
    await upload(product, '/end', 'end')
    expect(await program.over).toEqual({ said: 'new', ended: 'exited' })
  })
})

/** With the right to write, Btrfs lets everybody make subvolumes and snapshots of subvolumes that are theirs. */
describe('A27: a program in the sandbox, on Btrfs', () => {
  const call = (number: string, name: string): string =>
    `perl -e 'use Fcntl; sysopen(my $d, "/files", O_RDONLY); my $a = pack("q Q6 a4040", fileno($d), 0, 0, 0, 0, 0, 0, "${name}"); ` +
    `print ioctl($d, ${number}, $a) ? "made" : "refused"'`
  const SNAPSHOT = `${call('0x50009417', 'copy')}; cat /files/copy/denied.txt /files/copy/.satchel/trash/x 2>/dev/null`
  const SUBVOLUME = call('0x50009418', 'made')
  const said = async (script: string, ...without: Layer[]): Promise<string> => {
    writeFileSync(join(root, 'denied.txt'), SECRET)
    mkdirSync(join(root, '.satchel/trash'), { recursive: true })
    writeFileSync(join(root, '.satchel/trash/x'), SECRET)
    const scope = { folder: root, writable: true, masked: ['/denied.txt', '/.satchel'] }
    const { stdout } = await createBubblewrap({ without }).run(['/bin/sh', '-c', script], { scope })
    return Buffer.from(stdout).toString()
  }

  it('makes no snapshot, in which nothing is masked, and no subvolume', async () => {
    expect([await said(SNAPSHOT), await said(SUBVOLUME)]).toEqual(['refused', 'refused'])
  })

  it('reads what is denied in a snapshot without the filter: the attack is real', async () => {
    expect([await said(SNAPSHOT, 'seccomp'), await said(SUBVOLUME, 'seccomp')]).toEqual([`made${SECRET}${SECRET}`, 'made'])
  })

  it('can copy files without copying their blocks, which is a call of the same numbers', async () => {
    writeFileSync(join(root, 'file'), 'cloned')
    expect(await said('cd /files && cp --reflink=always file clone && cat clone')).toBe('cloned')
  })
})

describe('kept nodes on a Btrfs subvolume', () => {
  it('are all known after a restart, before anybody visits it', async () => {
    btrfs('subvolume', 'create', 'sub')
    let latest = createLocalStorage(root)
    await using product = await start({ around: () => (latest = createLocalStorage(root)) })
    await work(product, '/sub')
    const counts = async () => [(await latest.keptNodes('trash')).length, (await latest.keptNodes('versions')).length]
    expect(await counts()).toEqual([1, 1])
    product.restart()
    expect(await counts()).toEqual([0, 0])
    await product.world.recover()
    expect(await counts()).toEqual([1, 1])
  })
})

/** Leaves something of each kind in the private folder of a volume, by a server that then stops. */
async function fill(folder: string, options: ProductOptions = {}): Promise<void> {
  await using product = await start(options)
  await work(product, folder)
}

/** Deletes something, replaces something, and leaves an upload unfinished. */
async function work(product: Product, folder: string): Promise<void> {
  const path = (name: string): string => `${folder === '/' ? '' : folder}/${name}`
  await upload(product, path('first.txt'), SECRET)
  await product.as('ann').resources.remove({ params: { path: at(path('first.txt')) } })
  await upload(product, path('second.txt'), SECRET)
  await upload(product, path('second.txt'), 'harmless')
  const unfinished = product.storage.stage(`unfinished-${Bun.randomUUIDv7()}`, { near: at(path('third.txt')) })
  await unfinished.append(new TextEncoder().encode(SECRET))
}

async function start(options: ProductOptions = {}): Promise<Product> {
  const product = await startProduct({ storage: { folder: root }, ...options })
  await product.add('anna', { rules: [deny('/nowhere')] })
  await product.add('cleo', { may: EVERYTHING })
  await product.world.settings.change((before) => ({ ...before, shell: ['/bin/sh', '-c'] }))
  await mayRun(product)
  return product
}

async function mayRun(product: Product): Promise<void> {
  const commands = JSON.stringify(['echo', 'while', 'sleep', 'find'])
  await product.db
    .updateTable('users')
    .set({ commands, version: sql`version + 1` })
    .execute()
}

async function upload(product: Product, path: string, body: string): Promise<void> {
  await product.as('ann').resources.upload({ params: { path: at(path) }, query: { override: 'true' }, body })
}

async function rename(product: Product, from: string, destination: string): Promise<void> {
  await product.as('ann').resources.transfer({ params: { path: at(from) }, query: { action: 'rename', destination } })
}

function btrfs(kind: string, verb: string, ...args: string[]): void {
  command('btrfs', kind, verb, ...args)
}

function command(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: root })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
}
