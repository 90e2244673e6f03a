import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverCommand } from '../../scripts/lib/server.mjs'
import { lookAtRoot, openRoot, sandboxState } from '../../src/server/compose.ts'
import { systemFiles } from '../../src/server/config/system-files.ts'
import { main } from '../../src/server/main.ts'

const SERVER = serverCommand()

export interface CommandOutput {
  readonly code: number
  readonly out: string
  readonly complaints: string
}

export interface Served extends AsyncDisposable {
  /** With a slash at its end. */
  readonly url: string
  /** What it said until then. */
  readonly said: string
}

/** A folder of its own in which commands run. */
export interface TestInstall {
  readonly home: string
  /** What starts the program. */
  readonly program: readonly string[]
  /** In this process, which is quicker. @param env besides HOME */
  satchel(args: readonly string[], env?: Record<string, string>): Promise<CommandOutput>
  /** The program itself, with something on its standard input. */
  run(args: readonly string[], input?: string): Promise<CommandOutput>
  /** The server itself, until it is disposed of. */
  serve(args?: readonly string[]): Promise<Served>
  /** What it prints as JSON; fails when the command does. */
  ask(args: readonly string[]): Promise<unknown>
  /** A file of `fixtures`, with a real hash of `correct horse` for each account. */
  fixture(name: string): Promise<string>
}

export async function createTestInstall(): Promise<TestInstall> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-cli-'))
  await mkdir(join(home, 'files'))

  async function satchel(argv: readonly string[], env: Record<string, string> = {}): Promise<CommandOutput> {
    const out: string[] = []
    const complaints: string[] = []
    const options = { argv, env: { ...env, HOME: home }, cwd: home, files: systemFiles, program: '/program' }
    const terminal = { out: (line: string) => void out.push(`${line}\n`), complain: (line: string) => void complaints.push(`${line}\n`) }
    const code = await main(
      options,
      async () => ({ compose: () => Promise.reject(new Error('no server here')), openRoot, lookAtRoot, sandboxState }),
      terminal,
    )
    return { code, out: out.join(''), complaints: complaints.join('') }
  }

  async function run(args: readonly string[], input = ''): Promise<CommandOutput> {
    const child = Bun.spawn([...SERVER, ...args], {
      cwd: home,
      env: { PATH: process.env.PATH ?? '', HOME: home },
      stdin: new TextEncoder().encode(input),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, complaints, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
    return { code, out, complaints }
  }

  async function serve(args: readonly string[] = []): Promise<Served> {
    const child = Bun.spawn([...SERVER, '--port', '0', ...args], {
      cwd: home,
      env: { PATH: process.env.PATH ?? '', HOME: home },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const end = async (): Promise<void> => {
      child.kill('SIGKILL')
      await child.exited
    }
    const decoder = new TextDecoder()
    let said = ''
    for await (const chunk of child.stdout) {
      said += decoder.decode(chunk)
      const url = /^Satchel serves .* at (http:\S+\/)$/m.exec(said)?.[1]
      if (url !== undefined) return { url, said, [Symbol.asyncDispose]: end }
    }
    throw new Error(`the server did not start: ${said}`)
  }

  return {
    home,
    program: SERVER,
    satchel,
    run,
    serve,
    async ask(args) {
      const { code, out, complaints } = await satchel([...args, '--json'])
      if (code !== 0) throw new Error(`${args.join(' ')}: ${complaints}`)
      return JSON.parse(out)
    },
    async fixture(name) {
      const hash = await Bun.password.hash('correct horse', { algorithm: 'bcrypt', cost: 4 })
      const text = await readFile(join(import.meta.dir, 'fixtures', name), 'utf8')
      await writeFile(join(home, name), text.replaceAll('$2a$10$HASH', hash))
      return name
    },
  }
}
