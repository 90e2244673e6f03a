import { join } from 'node:path'
import { serverCommand } from '../../scripts/lib/server.mjs'

const SERVER = serverCommand()
export const PASSWORD = 'correct horse battery'

/** The real program, and who started it. */
export interface Server {
  readonly url: string
  readonly process: Bun.Subprocess
}

export async function start(home: string, env: Record<string, string>, name: string, said: string[] = []): Promise<Server> {
  const places = [
    '--data',
    join(home, name),
    '--password-file',
    join(home, 'password'),
    '--address',
    '127.0.0.1',
    '--port',
    '0',
    '--logAll',
  ]
  const child = Bun.spawn([...SERVER, ...places], { env, stdout: 'pipe', stderr: 'pipe' })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let mine = ''
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    for await (const chunk of stream) {
      const text = new TextDecoder().decode(chunk)
      said.push(text)
      mine += text
      const url = /at (http:\S+)\/\n/.exec(mine)?.[1]
      if (url !== undefined) resolve(url)
    }
  }
  void Promise.all([read(child.stdout), read(child.stderr)]).then(() => reject(new Error(mine)))
  return { url: await promise, process: child }
}

export async function signIn({ url }: Server, username = 'admin'): Promise<string> {
  const answer = await fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ username, password: PASSWORD }) })
  if (!answer.ok) throw new Error(`sign-in of ${username}: ${answer.status}`)
  return answer.text()
}

export async function ask({ url }: Server, address: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(url + address, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${address}: ${answer.status} ${text}`)
  return text
}

export async function command(env: Record<string, string>, args: readonly string[], input = ''): Promise<string> {
  const child = Bun.spawn([...SERVER, ...args], {
    env,
    cwd: env['HOME'],
    stdin: Buffer.from(`${input}\n`),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return (await child.stdout.text()) + (await child.stderr.text())
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it never came')
    await Bun.sleep(10)
  }
}
