import { type Sandbox, wasKilled } from '../sandbox/sandbox.ts'
import type { Crashed } from './picture.ts'

const PLACE = '/in'
const LIMITS = {
  wallMs: 30_000,
  cpuSeconds: 20,
  memoryBytes: 2 * 1024 ** 3,
  fileSizeBytes: 1024 ** 2,
  processes: 32,
  outputBytes: 32 * 1024 ** 2,
}
/** Longer side of the programs' output. */
const PIXELS = 1080

/**
 * A picture of a film, an album cover, or a page, by ffmpeg and poppler if installed, only in a sandbox. The file is passed by descriptor, so its
 * name is on no command line. Null if that failed, `crashed` if the program was killed before it could answer.
 */
export async function stillOf(
  sandbox: Sandbox,
  kind: 'video' | 'audio' | 'pdf',
  { descriptor, signal }: { descriptor: number; signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer> | Crashed | null> {
  if ((await sandbox.unavailable()) !== null) return null
  for (const argv of COMMANDS[kind]) {
    const { ended, exitCode, stdout } = await sandbox.run(argv, { binds: [{ source: descriptor, target: PLACE }], limits: LIMITS, signal })
    signal.throwIfAborted()
    if (ended === 'exited' && exitCode === 0 && stdout.length > 0) return new Uint8Array(stdout)
    if (wasKilled({ ended, exitCode })) return 'crashed'
  }
  return null
}

/** The first command that gives a picture: three seconds into a film there is more to see, but some films are shorter. */
const COMMANDS = {
  video: [frame(['-ss', '3'], []), frame([], [])],
  audio: [frame([], ['-map', '0:v:0', '-an'])],
  pdf: [['/usr/bin/pdftoppm', '-jpeg', '-singlefile', '-f', '1', '-scale-to', String(PIXELS), PLACE]],
} satisfies Record<string, string[][]>

/** Only files, so that a disguised playlist leads nowhere. */
function frame(seek: readonly string[], choose: readonly string[]): string[] {
  const quiet = ['-nostdin', '-v', 'error', '-threads', '1', '-protocol_whitelist', 'file,pipe']
  const scale = `scale='min(${PIXELS},iw)':'min(${PIXELS},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`
  const write = ['-frames:v', '1', '-vf', scale, '-q:v', '3', '-f', 'image2pipe', '-c:v', 'mjpeg', 'pipe:1']
  return ['/usr/bin/ffmpeg', ...quiet, ...seek, '-i', `file:${PLACE}`, ...choose, ...write]
}
