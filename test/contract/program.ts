import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverCommand } from '../../scripts/lib/server.mjs'

const SERVER = serverCommand()
export const PASSWORD = 'correct horse battery'

/** The real program, in a process of its own, with its administrator signed in. */
export interface Program extends AsyncDisposable {
  readonly pid: number
  /** Without a slash at its end. */
  readonly url: string
  /** What it has written to its standard output until now. */
  said(): string
  readonly token: string
  /** Rejects with `Refused` for every answer that is no success, with something else when the program dies. The answer has been read. */
  ask(address: string, init: RequestInit): Promise<Response>
  /** Any request, the answer as it comes. */
  open(address: string, init: RequestInit): Promise<Response>
  kill(): Promise<void>
}

export class Refused extends Error {}

/** The program has ended before it could be asked. */
export class DidNotStart extends Error {}

export interface ProgramOptions {
  /** Further words of the command line. */
  readonly args?: readonly string[]
  /** The environment, instead of ours. */
  readonly env?: Record<string, string>
  /** The working directory, instead of ours. */
  readonly cwd?: string
  /** Called when the process is there, before anything is known of how it starts. */
  readonly spawned?: (pid: number) => Promise<void>
}

/** What starts the program over the folders `root` and `data` of `home`, of which the first is made here. */
export function programOver(home: string, args: readonly string[] = []): string[] {
  mkdirSync(join(home, 'root'), { recursive: true })
  writeFileSync(join(home, 'password'), PASSWORD)
  const places = ['--root', join(home, 'root'), '--data', join(home, 'data'), '--password-file', join(home, 'password')]
  return [...SERVER, ...places, '--address', '127.0.0.1', '--port', '0', ...args]
}

/** Over the folders `root` and `data` of `home`, which are made at the first start. @param options.token of a sign-in before; none to sign in */
export async function startProgram(home: string, options: ProgramOptions & { token?: string } = {}): Promise<Program> {
  const { token: former, args, env, cwd, spawned } = options
  const child = Bun.spawn(programOver(home, args), { env, cwd, stdout: 'pipe', stderr: 'inherit' })
  const output = listenTo(child.stdout)
  await spawned?.(child.pid)
  const url = await output.url
  const token = former ?? (await signIn(url))
  const dead = new AbortController()
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await child.exited
    dead.abort()
  }
  const open = (address: string, init: RequestInit): Promise<Response> => {
    const signal = AbortSignal.any([dead.signal, ...(init.signal ? [init.signal] : [])])
    return fetch(url + address, { ...init, headers: { ...init.headers, 'x-auth': token }, signal })
  }
  return {
    pid: child.pid,
    url,
    said: output.said,
    token,
    open,
    async ask(address, init) {
      const answer = await open(address, init)
      if (!answer.ok) throw new Refused(`${init.method} ${address}: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
      return answer
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

async function signIn(url: string): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  const answer = await fetch(`${url}/api/login`, { method: 'POST', body })
  if (!answer.ok) throw new Refused(`the administrator is not let in: ${answer.status}`)
  return answer.text()
}

/** Bytes in pieces of 32 KiB, with a pause before each. */
export function slowly(bytes: Uint8Array<ArrayBuffer>, pauseMs: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      if (at >= bytes.length) return controller.close()
      await Bun.sleep(pauseMs)
      controller.enqueue(bytes.slice(at, (at += 32_768)))
    },
  })
}

/** Reads the output until its end, so that the program never blocks on its log. */
function listenTo(output: ReadableStream<Uint8Array>): { url: Promise<string>; said(): string } {
  const { promise: url, resolve, reject } = Promise.withResolvers<string>()
  let said = ''
  async function listen(): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of output) {
      said += decoder.decode(chunk, { stream: true })
      const found = /at (http:\S+)\/\n/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    }
    reject(new DidNotStart(`the server did not start: ${said}`))
  }
  listen().catch(reject)
  return { url, said: () => said }
}
