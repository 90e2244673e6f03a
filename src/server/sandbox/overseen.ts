import type { Ending, Limits, Running } from './sandbox.ts'

export interface OverseenOptions {
  readonly limits: Pick<Limits, 'wallMs'>
  readonly signal: AbortSignal | undefined
  /** With everything it started. */
  readonly kill: () => void
}

/** A program that was started, held to its time and to our signal. `end` says why it is cut off; the first reason counts. */
export function overseen(
  child: Bun.Subprocess<'pipe', 'pipe', 'pipe'>,
  { limits, signal, kill }: OverseenOptions,
): Running & { end(how: Ending): void } {
  let ending: Ending | null = null
  const end = (how: Ending): void => {
    if (ending !== null) return
    ending = how
    kill()
  }
  const abort = (): void => end('aborted')
  signal?.addEventListener('abort', abort, { once: true })
  const clock = setTimeout(() => end('too-long'), limits.wallMs)
  const ended = child.exited.then((code) => {
    clearTimeout(clock)
    signal?.removeEventListener('abort', abort)
    return { ended: ending ?? ('exited' as const), exitCode: ending === null ? code : null }
  })
  return {
    async write(bytes) {
      await child.stdin.write(bytes)
      await child.stdin.flush()
    },
    endInput: () => void Promise.resolve(child.stdin.end()).catch(() => undefined),
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    kill: abort,
    end,
  }
}
