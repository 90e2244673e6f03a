import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { serverCommand } from '../../scripts/lib/server.mjs'
import type { Host } from './host.ts'

/** Each server is a process of its own: the program that TEST_PROGRAM names. */
export function createProgramHost(): Host {
  const running = new Set<ChildProcess>()

  async function end(program: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!running.has(program)) return
    const ended = once(program, 'exit')
    program.kill(signal)
    await ended
  }

  async function kill(): Promise<void> {
    await Promise.all([...running].map((program) => end(program, 'SIGKILL')))
  }

  return {
    async start(args) {
      const [command, ...words] = serverCommand()
      const program = spawn(command, [...words, ...args, '--shutdownGrace', '0s'], { stdio: ['ignore', 'pipe', 'ignore'] })
      running.add(program)
      program.once('exit', () => running.delete(program))
      return { origin: new URL(await urlTold(program)).origin, end: () => end(program, 'SIGTERM') }
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

function urlTold(program: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    program.once('exit', () => reject(new Error(`the server ended: ${said}`)))
    program.stdout?.on('data', (text: Buffer) => {
      said += text.toString()
      const url = /at (http:\S+\/)\n/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
}
