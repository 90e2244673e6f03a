import {
  TERMINAL_WINDOW_BYTES,
  type TerminalEnding,
  type TerminalMessage,
  TerminalRequest,
  type TerminalSize,
} from '../../shared/contract/terminal.ts'
import { orElse } from '../../shared/errors.ts'
import { shellAmong } from '../../shared/shells.ts'
import { CLOSE, type Socket, type SocketOwner } from '../http/socket.ts'
import type { AtTerminal, Sandbox } from '../sandbox/sandbox.ts'
import type { Exec } from './sandbox-mount.ts'
import { FIRST_LINE_MS, IDLE_CHECK_EVERY_MS, terminalLimits } from './limits.ts'
import type { CommandSession, OpenCommandSession } from './command-session.ts'

export interface TerminalOptions {
  readonly exec: Exec
  readonly openTerminal: NonNullable<Sandbox['openTerminal']>
  readonly openSession: OpenCommandSession
  readonly username: string
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
  readonly log: (line: string) => void
  /** Called once, at the end. */
  readonly onEnd: () => void
}

/** The current folder, as both `bash` and `dash` understand it. */
const PROMPT = '$PWD $ '

/** Messages kept until the program has started. */
const MOST_EARLY = 16

/** A shell on one connection: it starts with the first message, and both end together. */
export function terminalSocket({ exec, openTerminal, openSession, username, signal, log, onEnd }: TerminalOptions): SocketOwner {
  const { idleMs, ...limits } = terminalLimits(exec)
  const leaving = new AbortController()
  let socket: Socket | null = null
  let running: AtTerminal | null = null
  // Input that arrives before the program has started.
  let early: ((terminal: AtTerminal) => void)[] = []
  let begun = false
  let idle = false
  let typedAt = 0
  let waiting: ReturnType<typeof setTimeout> | undefined
  const shown = createWindow(TERMINAL_WINDOW_BYTES)

  async function end(ended: TerminalEnding, exit: number | null): Promise<void> {
    if (begun) log(`terminal of ${username}: ended: ${ended}`)
    await socket?.send(JSON.stringify({ ended, exit } satisfies TerminalMessage))
    socket?.close(CLOSE.normal)
  }

  async function run(size: TerminalSize): Promise<void> {
    using session = await openSession()
    const shell = shellAmong(session?.allowed ?? [])
    if (session === null || shell === null) return end('not-allowed', null)
    log(`terminal of ${username}: ${shell}`)
    session.signal.addEventListener('abort', leave, { once: true })
    // A change while it was opened may have ended it already, and is not reported again (A24).
    if (session.signal.aborted) leave()
    await runAt(session, shell, size)
  }

  async function runAt({ mount, cwd, until }: CommandSession, shell: string, size: TerminalSize): Promise<void> {
    const starting = openTerminal([shell], {
      ...mount.start,
      cwd,
      env: { SCOPE: mount.root, USERNAME: username, TERM: 'xterm-256color', COLORTERM: 'truecolor', PS1: PROMPT },
      limits,
      signal: AbortSignal.any([signal, leaving.signal]),
      size,
    })
    until(starting.then(({ ended }) => ended))
    running = await starting
    typedAt = performance.now()
    for (const operation of early) operation(running)
    early = []
    const watch = setInterval(leaveWhenIdle, IDLE_CHECK_EVERY_MS)
    try {
      for await (const bytes of running.output) {
        // Output that nobody can receive any more is still read, so that the program can end.
        await shown.room(bytes.length)
        await socket?.sendBytes(bytes)
      }
      const { ended, exitCode } = await running.ended
      await end(idle ? 'idle' : ended, exitCode)
    } finally {
      clearInterval(watch)
      running.kill()
    }
  }

  function leaveWhenIdle(): void {
    idle ||= performance.now() - typedAt > idleMs
    if (idle) leave()
  }

  function leave(): void {
    shown.open()
    leaving.abort()
  }

  async function begin(size: TerminalSize): Promise<void> {
    begun = true
    clearTimeout(waiting)
    try {
      await run(size)
    } catch (error) {
      if (leaving.signal.aborted || signal.aborted) return end('aborted', null)
      log(`terminal of ${username}: ${String(error)}`)
      await end('unavailable', null)
    }
  }

  function act(operation: (terminal: AtTerminal) => void): void {
    if (running !== null) operation(running)
    else if (early.length < MOST_EARLY) early.push(operation)
  }

  signal.addEventListener('abort', leave, { once: true })
  return {
    opened(opened) {
      socket = opened
      waiting = setTimeout(() => opened.close(CLOSE.policyViolation), FIRST_LINE_MS)
    },
    received(text) {
      const request = readRequest(text)
      if (request === null) return socket?.close(CLOSE.unsupportedData)
      if ('start' in request) {
        if (!begun) void begin(request.start)
      } else if ('seen' in request) shown.take(request.seen)
      else if ('size' in request) act((terminal) => terminal.resize(request.size))
      else {
        typedAt = performance.now()
        act((terminal) => terminal.type(Buffer.from(request.type)))
      }
    },
    closed() {
      socket = null
      clearTimeout(waiting)
      signal.removeEventListener('abort', leave)
      leave()
      onEnd()
    },
  }
}

function readRequest(text: string): TerminalRequest | null {
  return orElse(null, () => TerminalRequest.parse(JSON.parse(text)))
}

/** Flow control: lets this many bytes through until the client confirms them. One caller waits at a time. */
function createWindow(most: number) {
  let onTheWay = 0
  let isOpen = false
  let go: (() => void) | null = null

  function letGo(): void {
    if (!isOpen && onTheWay >= most) return
    go?.()
    go = null
  }

  return {
    /** Resolves when there is room, and takes it. */
    async room(bytes: number): Promise<void> {
      if (!isOpen && onTheWay >= most) await new Promise<void>((resolve) => (go = resolve))
      onTheWay += bytes
    },
    take(bytes: number): void {
      onTheWay = Math.max(0, onTheWay - bytes)
      letGo()
    },
    /** From now on there is always room. */
    open(): void {
      isOpen = true
      letGo()
    },
  }
}
