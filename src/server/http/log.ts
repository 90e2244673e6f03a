import type { MiddlewareHandler } from 'hono'
import { isAppError } from '../../shared/errors.ts'
import { openLogFile } from './log-file.ts'
import type { Env } from './mount.ts'

export interface Log {
  /** One entry: stamped, on one line, without secrets. */
  write(text: string): void
  close(): void
}

/** A log on `stdout`, `stderr`, nowhere (`''`), or in a file. Throws what the system says when the file cannot be written. */
export function createLog(target: string, { clock = () => new Date() }: { clock?: () => Date } = {}): Log {
  const sink = sinkOf(target, clock)
  return {
    write: (text) => sink.write(`${stamp(clock())} ${oneLine(withoutSecrets(text))}\n`),
    close: () => sink.close(),
  }
}

/**
 * One line for each request that failed, or for every one with `all`: `/api/login: 403 192.0.2.1 wrong-credentials POST 12ms`.
 * It starts as the predecessor's did, for the filters of fail2ban. The query is not logged: it holds secrets, and would let a request evade a filter.
 */
export function logRequests({ log, all }: { log: (line: string) => void; all: boolean }): MiddlewareHandler<Env> {
  return async (c, next) => {
    const start = performance.now()
    await next()
    const { status } = c.res
    if (status < 400 && !all) return
    const code = isAppError(c.error) ? c.error.code : '-'
    const ms = Math.round(performance.now() - start)
    log(`${plainPath(c.get('path'))}: ${status} ${c.env.peer ?? 'unix'} ${code} ${c.req.method} ${ms}ms`)
  }
}

/** Takes out what would let a reader of the log act as somebody: credentials in addresses, and anything shaped like a token. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/([?&](?:auth|token|ticket|password|recaptcha)=)[^&\s"'#]*/gi, '$1***')
    .replace(/\beyJ[\w-]{8,}\.[\w-]*\.[\w-]*/g, '***')
}

/** What was written in code although it need not be is readable again, so that `/api/%6cogin` is found as what it is. */
function plainPath(path: string): string {
  return path.replace(/%(2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/gi, (code) => decodeURIComponent(code))
}

/** Nothing of this may reach a terminal or start another line. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (char) =>
    char === '\n' ? ' | ' : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** As Go's log package writes it, local time: `2026/11/21 04:31:01`. */
function stamp(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${now.getFullYear()}/${two(now.getMonth() + 1)}/${two(now.getDate())}`
  return `${day} ${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`
}

/** When nobody reads any more, the line is lost and the request is not. */
function writeTo(stream: NodeJS.WriteStream, text: string): void {
  try {
    stream.write(text)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
  }
}

function sinkOf(target: string, clock: () => Date): { write(text: string): void; close(): void } {
  if (target === '') return { write: () => {}, close: () => {} }
  if (target === 'stdout') return { write: (text) => writeTo(process.stdout, text), close: () => {} }
  if (target === 'stderr') return { write: (text) => writeTo(process.stderr, text), close: () => {} }
  return openLogFile(target, { clock })
}
