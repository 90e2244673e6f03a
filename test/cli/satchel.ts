import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../src/server/main.ts')

export interface Said {
  readonly code: number
  readonly out: string
  readonly complaints: string
}

/** A folder of its own in which the program runs, as somebody types it. */
export interface Place {
  readonly home: string
  satchel(args: readonly string[], options?: { input?: string }): Promise<Said>
  /** What it prints as JSON; fails when the command does. */
  ask(args: readonly string[]): Promise<unknown>
  /** A file of `fixtures`, with a real hash of `correct horse` for each account. */
  fixture(name: string): Promise<string>
}

export async function newPlace(): Promise<Place> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-cli-'))
  await mkdir(join(home, 'files'))

  async function satchel(args: readonly string[], { input = '' }: { input?: string } = {}): Promise<Said> {
    const child = Bun.spawn([process.execPath, MAIN, ...args], {
      cwd: home,
      env: { PATH: process.env.PATH ?? '', HOME: home },
      stdin: new TextEncoder().encode(input),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, complaints, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
    return { code, out, complaints }
  }

  return {
    home,
    satchel,
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
