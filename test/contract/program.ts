import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverMain } from '../../scripts/lib/server.mjs'

const MAIN = serverMain()
export const PASSWORD = 'correct horse battery'

/** The real program, in a process of its own, with its administrator signed in. */
export interface Program extends AsyncDisposable {
  readonly pid: number
  readonly token: string
  /** Rejects with `Refused` for every answer that is no success, with something else when the program dies. The answer has been read. */
  ask(address: string, init: RequestInit): Promise<Response>
  /** Any request, the answer as it comes. */
  open(address: string, init: RequestInit): Promise<Response>
  kill(): Promise<void>
}

export class Refused extends Error {}

/** What starts the program over the folders `root` and `data` of `home`, of which the first is made here. */
export function programOver(home: string): string[] {
  mkdirSync(join(home, 'root'), { recursive: true })
  writeFileSync(join(home, 'password'), PASSWORD)
  const places = ['--root', join(home, 'root'), '--data', join(home, 'data'), '--password-file', join(home, 'password')]
  return [process.execPath, MAIN, ...places, '--address', '127.0.0.1', '--port', '0']
}

/** Over the folders `root` and `data` of `home`, which are made at the first start. @param options.token of a sign-in before; none to sign in */
export async function startProgram(home: string, { token: former }: { token?: string } = {}): Promise<Program> {
  const child = Bun.spawn(programOver(home), { stdout: 'pipe', stderr: 'inherit' })
  const url = await urlTold(child.stdout)
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

/** The rest of the output stays unread: to close it would take the program's log away. */
async function urlTold(output: ReadableStream<Uint8Array>): Promise<string> {
  const reader = output.getReader()
  const decoder = new TextDecoder()
  let said = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the server did not start: ${said}`)
    said += decoder.decode(value, { stream: true })
    const url = /at (http:\S+)\/\n/.exec(said)?.[1]
    if (url !== undefined) return url
  }
}
