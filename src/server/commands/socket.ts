import { type CommandEnding, type CommandMessage, CommandRequest } from '../../shared/contract/command.ts'
import { orElse } from '../../shared/errors.ts'
import { CLOSE, type Socket, type SocketOwner } from '../http/socket.ts'
import type { Running } from '../sandbox/sandbox.ts'
import type { Exec } from './sandbox-mount.ts'
import { commandLimits, FIRST_LINE_MS } from './limits.ts'
import { argvOf, mayRun } from './command-line.ts'
import type { CommandSession, OpenCommandSession } from './command-session.ts'
import { splitWords } from './split-words.ts'

export interface CommandOptions {
  readonly exec: Exec
  readonly openSession: OpenCommandSession
  readonly username: string
  /** The protocol of our own panel; otherwise the predecessor's. */
  readonly structured: boolean
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
  readonly log: (line: string) => void
  /** Called once, at the end. */
  readonly onEnd: () => void
}

const REFUSAL: Record<Exclude<CommandEnding, 'exited'>, string> = {
  'not-allowed': 'Command not allowed.',
  'not-understood': 'error parsing command: a quote is not closed',
  unavailable: 'Commands cannot be run here.',
  'too-long': 'Stopped: it took too long.',
  'too-much-output': 'Stopped: it said too much.',
  'too-many-processes': 'Stopped: it started too many processes.',
  'too-much-memory': 'Stopped: it used too much memory.',
  aborted: 'Stopped.',
}

/** One command per connection: the first message is its line, and both end together. */
export function commandSocket(options: CommandOptions): SocketOwner {
  const { exec, openSession, username, structured, signal, log, onEnd } = options
  const leaving = new AbortController()
  let socket: Socket | null = null
  let begun = false
  let waiting: ReturnType<typeof setTimeout> | undefined

  const say = async (message: CommandMessage): Promise<void> => socket?.send(JSON.stringify(message))
  const lines = createLineBuffer(async (line) => socket?.send(line))

  async function end(ended: CommandEnding, exit: number | null): Promise<void> {
    if (structured) await say({ ended, exit })
    else if (ended !== 'exited') await socket?.send(REFUSAL[ended])
    socket?.close(CLOSE.normal)
  }

  async function run(line: string): Promise<void> {
    const [program] = splitWords(line) ?? []
    if (program === undefined) return end('not-understood', null)
    // The line may arrive long after the connection was opened, so current rights count.
    using session = await openSession()
    if (session === null || !mayRun(program, session.allowed)) return end('not-allowed', null)
    await runAt(session, line)
  }

  async function runAt({ mount, cwd, shell, signal: mustEnd, until }: CommandSession, line: string): Promise<void> {
    const env = { SCOPE: mount.root, USERNAME: username, TERM: 'dumb' }
    const argv = argvOf(line, { shell, variables: env })
    if (argv === null) return end('not-understood', null)
    log(`command of ${username}: ${line}`)
    const limits = commandLimits(exec)
    const starting = exec.sandbox.start(argv, {
      ...mount.start,
      cwd,
      env,
      limits,
      signal: AbortSignal.any([signal, leaving.signal, mustEnd]),
    })
    until(starting.then(({ ended }) => ended))
    const running = await starting
    running.endInput()
    const tooMuchOutput = await sendOutput(running, limits.outputBytes)
    const { ended, exitCode } = await running.ended
    await end(tooMuchOutput && ended === 'aborted' ? 'too-much-output' : ended, exitCode)
  }

  /** @returns whether it was cut off because of too much output */
  async function sendOutput(running: Running, mostBytes: number): Promise<boolean> {
    let left = mostBytes
    await Promise.all(
      (['stdout', 'stderr'] as const).map(async (from) => {
        const decoder = new TextDecoder()
        for await (const bytes of running[from]) {
          if (left < 0) continue
          left -= bytes.length
          if (left < 0) running.kill()
          const text = decoder.decode(bytes, { stream: true })
          await (structured ? say({ from, text }) : lines.take(from, text))
        }
        if (!structured) await lines.finish(from)
      }),
    )
    return left < 0
  }

  async function begin(line: string): Promise<void> {
    begun = true
    clearTimeout(waiting)
    try {
      await run(line)
    } catch (error) {
      if (leaving.signal.aborted || signal.aborted) return end('aborted', null)
      log(`command of ${username}: ${String(error)}`)
      await end('unavailable', null)
    }
  }

  return {
    opened(opened) {
      socket = opened
      waiting = setTimeout(() => opened.close(CLOSE.policyViolation), FIRST_LINE_MS)
    },
    received(text) {
      const request = structured ? readRequest(text) : { run: text }
      if (request === null) socket?.close(CLOSE.unsupportedData)
      else if ('stop' in request) leaving.abort()
      else if (!begun && request.run.trim() !== '') void begin(request.run.trim())
    },
    closed() {
      socket = null
      clearTimeout(waiting)
      leaving.abort()
      onEnd()
    },
  }
}

function readRequest(text: string): CommandRequest | null {
  return orElse(null, () => CommandRequest.parse(JSON.parse(text)))
}

/** A line without end is split here, so that memory stays limited. */
const LONGEST_CHARS = 16_384

/** Joins pieces of output into lines, separately for each stream. */
function createLineBuffer(send: (line: string) => Promise<void>) {
  const partial = new Map<string, string>()
  return {
    async take(from: string, text: string): Promise<void> {
      const parts = ((partial.get(from) ?? '') + text).split('\n')
      let rest = parts.pop() ?? ''
      for (const line of parts) await send(line.replace(/\r$/, ''))
      for (; rest.length > LONGEST_CHARS; rest = rest.slice(LONGEST_CHARS)) await send(rest.slice(0, LONGEST_CHARS))
      partial.set(from, rest)
    },
    /** Emits the last line of a stream if it has no line end. */
    async finish(from: string): Promise<void> {
      const rest = partial.get(from) ?? ''
      partial.delete(from)
      if (rest !== '') await send(rest)
    },
  }
}
