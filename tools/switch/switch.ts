import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bench/harness.ts'
import { RUNTIME_COMMAND } from '../../src/server/entries/runtime.ts'
import { contentOf, type LoadResult, startLoad } from './load.ts'
import { hashFor, type OldShare, type OldUser, writeOldDatabase } from './old-database.ts'
import { startProxy, until } from './proxy.ts'

export interface SwitchOptions {
  /** What starts Satchel. */
  readonly program: readonly string[]
  readonly rate: number
  /** Between two steps. */
  readonly pauseMs: number
  readonly accounts: number
  readonly links: number
  readonly say: (line: string) => void
}

export interface SwitchResult extends LoadResult {
  /** Uploaded files that are not on the disk as they were sent. */
  readonly lostFiles: readonly string[]
  /** Links made by either server that no longer open what they did. */
  readonly lostLinks: readonly string[]
}

const PASSWORD = 'a long word for many people'

/** Switches from the old server to Satchel and back while people use them, by the steps of `docs/migrate.md`. */
export async function switchOverAndBack({ program, rate, pauseMs, accounts, links, say }: SwitchOptions): Promise<SwitchResult> {
  const home = mkdtempSync(join(tmpdir(), 'satchel-switch-'))
  const root = join(home, 'files')
  const [oldPort, newPort, port] = [freePort(), freePort(), freePort()]
  const { users, targets } = prepare(home, { accounts, links })
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  const migrate = async (): Promise<void> => {
    const child = Bun.spawn([...program, 'migrate', 'old.db', '--root', root], { cwd: home, env, stdout: 'ignore', stderr: 'pipe' })
    if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text())
  }
  const start = async (command: readonly string[], at: number): Promise<Bun.Subprocess> => {
    const child = Bun.spawn([...command], { cwd: home, env, stdout: 'ignore', stderr: 'inherit' })
    await until(async () => (await fetch(`http://127.0.0.1:${at}/health`).catch(() => null))?.ok === true)
    return child
  }
  const end = async (child: Bun.Subprocess): Promise<void> => {
    child.kill('SIGTERM')
    await child.exited
  }
  const startOld = () =>
    start([...RUNTIME_COMMAND, join(import.meta.dir, 'old-server.ts'), String(oldPort), root, 'old.db', 'state.json'], oldPort)
  const steps = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    await Bun.sleep(pauseMs)
    say(name)
    await act()
  }

  const children: Bun.Subprocess[] = []
  try {
    let old = await startOld()
    children.push(old)
    await using proxy = await startProxy(join(home, 'nginx'), { port, order: { first: oldPort, second: newPort } })
    const load = startLoad({
      url: proxy.url,
      rate,
      links: targets,
      accounts: users.map(({ username }) => ({ username, password: PASSWORD })),
    })
    await steps('moves for the first time', migrate)
    await steps('starts Satchel', async () => {
      const ours = [...program, '--port', String(newPort), '--root', root, '--trusted-proxies', '127.0.0.1']
      children.push(await start(ours, newPort))
    })
    await steps('Satchel answers first', () => proxy.switchTo({ first: newPort, second: oldPort }))
    await steps('moves again', migrate)
    const lostLinks: string[] = []
    const openAll = async (made: LoadResult['made']): Promise<void> => {
      for (const { hash, content } of made) {
        const response = await fetch(`${proxy.url}/api/public/dl/${hash}`)
        if ((await response.text()) !== content) lostLinks.push(hash)
      }
    }
    await steps('stops the old server', () => end(old))
    await steps('opens every link that was made', () => openAll(load.made()))
    await steps('asks for a link that neither server knows', async () => {
      const { status } = await fetch(`${proxy.url}/api/public/dl/nothere0`)
      if (status !== 404) throw new Error(`a link that neither knows: ${status}`)
    })
    await steps('starts the old server again', async () => {
      old = await startOld()
      children.push(old)
    })
    await steps('the old server answers first', () => proxy.switchTo({ first: oldPort, second: newPort }))
    await Bun.sleep(pauseMs)
    const result = await load.stop()
    const lostFiles = result.uploads
      .filter(({ username, path, content }) => textAt(join(root, username, path)) !== content)
      .map(({ path }) => path)
    await openAll(result.made)
    return { ...result, lostFiles, lostLinks }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map((child) => child.exited))
    rmSync(home, { recursive: true, force: true })
  }
}

function prepare(home: string, { accounts, links }: { accounts: number; links: number }) {
  const password = Bun.password.hashSync(PASSWORD, { algorithm: 'bcrypt', cost: 4 })
  const users: OldUser[] = Array.from({ length: accounts }, (_, index) => {
    const username = `user-${index + 1}`
    mkdirSync(join(home, 'files', username), { recursive: true })
    writeFileSync(join(home, 'files', username, 'first.txt'), contentOf(username))
    return { id: index + 1, username, password, scope: `/${username}` }
  })
  const shares: OldShare[] = []
  const targets: { target: string; content: string }[] = []
  for (let link = 1; link <= links; link += 1) {
    const owner = users[link % users.length]
    if (owner === undefined) continue
    const [hash, token] = [hashFor(`link ${link}`), Buffer.alloc(96, link % 256).toString('base64url')]
    const isProtected = link % 5 === 0
    shares.push({ hash, path: '/first.txt', userID: owner.id, expire: 0, ...(isProtected && { password_hash: password, token }) })
    targets.push({ target: `/api/public/dl/${hash}${isProtected ? `?token=${token}` : ''}`, content: contentOf(owner.username) })
  }
  writeFileSync(join(home, 'state.json'), JSON.stringify({ users, shares }))
  writeOldDatabase(join(home, 'old.db'), { users, shares })
  return { users, targets }
}

function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
