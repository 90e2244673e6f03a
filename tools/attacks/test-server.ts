import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ALL_RIGHTS } from '../../src/server/access/permissions.ts'
import { PASSWORD, type ProgramOptions, startProgram } from '../../test/contract/program.ts'
import { exchange } from '../../test/contract/wire.ts'
import type { Client, TestServer, UserOptions } from './attack.ts'

/** The servers of one attack, and how to end them all. */
export interface Servers extends AsyncDisposable {
  start(options?: ProgramOptions): Promise<TestServer>
}

export function createServers(note: (line: string) => void): Servers {
  const ends = new AsyncDisposableStack()

  async function start({ home: given, ...options }: ProgramOptions & { home?: string; token?: string } = {}): Promise<TestServer> {
    const home = given ?? freshHome()
    const program = await startProgram(home, options)
    ends.defer(() => program.kill())
    const { url, pid } = program
    const port = Number(new URL(url).port)
    const root = join(home, 'root')
    const visit = (address: string, init?: RequestInit): Promise<Response> => fetch(url + address, init)

    const client = (name: string, token: string): Client => ({
      name,
      token,
      ask: (address, init) => visit(address, { ...init, headers: { ...init?.headers, 'x-auth': token } }),
    })

    async function signIn(name: string, password: string): Promise<Client> {
      const answer = await visit('/api/login', { method: 'POST', body: JSON.stringify({ username: name, password }) })
      return client(name, await textOf(answer, `the sign-in of ${name}`))
    }

    async function user(name: string, made: UserOptions = {}): Promise<Client> {
      const { password = PASSWORD, perm, scope = '/', rules = [], commands = [] } = made
      const data = { username: name, password, scope, rules, commands, perm: { ...ALL_RIGHTS, admin: false, ...perm } }
      const body = JSON.stringify({ what: 'user', which: [], data, current_password: PASSWORD })
      await textOf(await admin.ask('/api/users', { method: 'POST', body }), `the account ${name}`)
      return signIn(name, password)
    }

    const admin = client('admin', program.token)
    return {
      url,
      port,
      pid,
      home,
      root,
      data: join(home, 'data'),
      admin,
      note,
      user,
      signIn,
      visit,
      raw: (bytes) => exchange(port, Buffer.from(bytes)),
      write: (path, content) => writeBelow(root, path, content),
      log: program.said,
      another: (more) => start(more),
      async restart() {
        await program.kill()
        return start({ ...options, home, token: program.token })
      },
    }
  }

  function freshHome(): string {
    const home = mkdtempSync(join(tmpdir(), 'satchel-attack-'))
    ends.defer(() => rmSync(home, { recursive: true, force: true }))
    return home
  }

  return { start, [Symbol.asyncDispose]: () => ends.disposeAsync() }
}

/** What came back, of an answer that has to be a success. */
async function textOf(answer: Response, what: string): Promise<string> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${text}`)
  return text
}

function writeBelow(root: string, path: string, content: string | Uint8Array): string {
  const place = join(root, path)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, content)
  return place
}
