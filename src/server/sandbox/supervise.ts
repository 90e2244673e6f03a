import { yieldingBetween } from './yielding-between.ts'
import type { Ending, Limits, Running } from './sandbox.ts'

export interface SuperviseOptions {
  readonly limits: Pick<Limits, 'wallMs'>
  readonly signal: AbortSignal | undefined
  /** With everything it started. */
  readonly kill: () => void
}

export interface Supervised extends Pick<Running, 'ended' | 'kill'> {
  /** Says why it is cut off; the first reason counts. */
  end(how: Ending): void
}

/** Holds a program that was started to its time and to our signal. */
export function supervise(child: Pick<Bun.Subprocess, 'exited'>, { limits, signal, kill }: SuperviseOptions): Supervised {
  let ending: Ending | null = null
  let isOver = false
  const end = (how: Ending): void => {
    // Its number may be somebody else's by now.
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
