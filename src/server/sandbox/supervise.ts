import type { Ending, Limits, Running, Outcome, RunOptions } from './sandbox.ts'
import { setImmediate as turn } from 'node:timers/promises'
import { orElse } from '../../shared/errors.ts'

export interface SuperviseOptions {
  readonly limits: Pick<Limits, 'wallMs'>
  readonly signal: AbortSignal | undefined
  /** With its descendants. */
  readonly kill: () => void
}

export interface Supervised extends Pick<Running, 'ended' | 'kill'> {
  /** Ends it with a reason; the first one counts. */
  end(how: Ending): void
}

/** Ends a started program when its time is over or its signal is aborted. */
export function supervise(child: Pick<Bun.Subprocess, 'exited'>, { limits, signal, kill }: SuperviseOptions): Supervised {
  let ending: Ending | null = null
  let isOver = false
  const end = (how: Ending): void => {
    // Its pid may belong to another process by now.
    if (isOver || ending !== null) return
    ending = how
    kill()
  }
  const abort = (): void => end('aborted')
  signal?.addEventListener('abort', abort, { once: true })
  const clock = setTimeout(() => end('too-long'), limits.wallMs)
  const ended = child.exited.then((code) => {
    isOver = true
    clearTimeout(clock)
    signal?.removeEventListener('abort', abort)
    return { ended: ending ?? ('exited' as const), exitCode: ending === null ? code : null }
  })
  return { ended, kill: abort, end }
}

/** The same with its three pipes. */
export function overPipes(child: Bun.Subprocess<'pipe', 'pipe', 'pipe'>, { ended, kill }: Supervised): Running {
  return {
    async write(bytes) {
      await child.stdin.write(bytes)
      await child.stdin.flush()
    },
    endInput: () => void Promise.resolve(child.stdin.end()).catch(() => undefined),
    stdout: yieldingBetween(child.stdout),
    stderr: yieldingBetween(child.stderr),
    ended,
    kill,
  }
}

/** Yields to the event loop after each piece of a program's output, so that endless output does not block others. */
export async function* yieldingBetween(output: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of output) {
    yield piece
    await turn()
  }
}

/** @param pid of a process, or of a group, as a negative number; it may be gone already */
export function killIfThere(pid: number): void {
  orElse(false, () => process.kill(pid, 'SIGKILL'))
}

/** Kills a program that was started `detached`, and so leads its own process group, with everything in the group. */
export function killGroup(leader: number): void {
  killIfThere(-leader)
}

/** Feeds a program, collects its output, and ends it if there is more than `outputBytes`. */
export async function collect(running: Running, { stdin, onOutput, outputBytes }: RunOptions & { outputBytes: number }): Promise<Outcome> {
  let left = outputBytes
  const gather = async (from: 'stdout' | 'stderr'): Promise<Uint8Array> => {
    const pieces: Uint8Array[] = []
    for await (const chunk of running[from]) {
      const piece = chunk.subarray(0, Math.max(0, left))
      left -= chunk.length
      if (piece.length > 0) {
        pieces.push(piece)
        onOutput?.(from, piece)
      }
      if (left < 0) running.kill()
    }
    return Buffer.concat(pieces)
  }
  // A program may end without reading its input.
  const fed = stdin === undefined ? null : running.write(Buffer.from(stdin)).catch(() => undefined)
  void (fed ?? Promise.resolve()).then(() => running.endInput())
  const [stdout, stderr, { ended, exitCode }] = await Promise.all([gather('stdout'), gather('stderr'), running.ended])
  const ending: Ending = left < 0 && ended === 'aborted' ? 'too-much-output' : ended
  return { ended: ending, exitCode: ending === 'exited' ? exitCode : null, stdout, stderr }
}
