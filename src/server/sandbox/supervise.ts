import { yieldingBetween } from './yielding-between.ts'
import type { Ending, Limits, Running } from './sandbox.ts'

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
