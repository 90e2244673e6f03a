import type { Ending, Outcome, RunOptions, Running } from './sandbox.ts'

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
