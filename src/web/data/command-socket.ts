import { COMMAND_PROTOCOL, type CommandEnding, CommandMessage, type CommandRequest, command } from '../../shared/contract/command.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { AppError } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { refusalOf, socketAddress } from './sockets.ts'

const client = clientFor({ command })

export interface CommandOutput {
  readonly from: 'stdout' | 'stderr'
  readonly text: string
}

export interface CommandResult {
  readonly ended: CommandEnding
  /** Null if the program did not exit by itself. */
  readonly exit: number | null
}

/**
 * Runs a command line in a folder over its own WebSocket, authenticated by the cookie. Fails as a request would (`forbidden`, `not-found`,
 * `too-many-requests` …), and with `offline` if the connection drops.
 * @param options.signal asks the server to stop the program; the result is still reported
 */
export function runCommandLine(
  line: string,
  { folder, signal, onOutput }: { folder: FilePath; signal: AbortSignal; onOutput: (output: CommandOutput) => void },
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(socketAddress(href(command.socket, { params: paramsOf(folder), query: {} })), COMMAND_PROTOCOL)
    const send = (request: CommandRequest) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(request))
    const stop = () => send({ stop: true })
    let opened = false
    socket.addEventListener('open', () => {
      opened = true
      if (signal.aborted) return socket.close()
      send({ run: line })
    })
    socket.addEventListener('message', ({ data }) => {
      const message = CommandMessage.parse(JSON.parse(String(data)))
      if ('ended' in message) resolve(message)
      else onOutput(message)
    })
    socket.addEventListener('close', () => {
      signal.removeEventListener('abort', stop)
      if (signal.aborted) resolve({ ended: 'aborted', exit: null })
      else if (opened) reject(new AppError('offline', {}))
      else void refusalOf(() => client.command.socket({ params: paramsOf(folder), query: {} })).then(reject)
    })
    signal.addEventListener('abort', stop)
  })
}

function paramsOf(folder: FilePath): { path: FilePath; slash: boolean } {
  return { path: folder, slash: folder !== ROOT }
}
