import { COMMAND_PROTOCOL, CommandMessage } from '../../src/shared/contract/command.ts'
import type { Client, TestServer } from './attack.ts'

/** A command that runs, in the command panel. */
export interface RunningCommand {
  /** What it has said until now. */
  said(): string
  /** When it is over: all that it said, and how it ended. */
  readonly over: Promise<{ said: string; ended: string }>
}

/** What a server is started with to run commands by a shell. */
export const WITH_COMMANDS = { args: ['--disableExec=false'] }

/** Resolves when the connection is open and the line is sent. */
export async function startCommand(server: TestServer, { token }: Client, line: string): Promise<RunningCommand> {
  const address = `${server.url.replace('http', 'ws')}/api/command/?auth=${token}`
  const socket = new WebSocket(address, { protocols: [COMMAND_PROTOCOL] })
  let said = ''
  let ended = 'the connection was cut off'
  socket.addEventListener('message', ({ data }) => {
    const message = CommandMessage.parse(JSON.parse(String(data)))
    if ('ended' in message) ended = message.ended
    else said += message.text
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the command panel did not open')))
  })
  const over = new Promise<{ said: string; ended: string }>((resolve) => socket.addEventListener('close', () => resolve({ said, ended })))
  socket.send(JSON.stringify({ run: line }))
  return { said: () => said, over }
}

/** From start to end. Throws where nothing runs: then nothing was tried. */
export async function runCommand(server: TestServer, client: Client, line: string): Promise<{ said: string; ended: string }> {
  const running = await startCommand(server, client, line)
  const outcome = await running.over
  if (['unavailable', 'not-allowed', 'not-understood'].includes(outcome.ended)) throw new Error(`${line}: ${outcome.ended}`)
  return outcome
}
