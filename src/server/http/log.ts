import { codeOf, isAppError } from '../../shared/errors.ts'
import { openLogFile } from './log-file.ts'
import { type Layer, after } from './router.ts'

/** Logged fields of a request. The query is not logged: it contains secrets and would let a request evade a filter. */
export interface RequestEntry {
  readonly path: string
  readonly status: number
  /** The client's; null on a unix socket. */
  readonly address: string | null
  /** Our error code; null if there is none. */
  readonly code: string | null
  readonly method: string
  readonly ms: number
}

/** A request, or any other message. */
export type Entry = string | RequestEntry

/** `json` is one object per line, `text` a line in the predecessor's format, for fail2ban filters. */
export const LOG_FORMATS = ['json', 'text'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export interface LogOptions {
  readonly format: LogFormat
  readonly clock?: () => Date
}

export type Log = ReturnType<typeof createLog>

/** A log on `stdout`, `stderr`, nowhere (`''`), or in a file. Throws the system's error if the file cannot be written. */
export function createLog(target: string, { format, clock = () => new Date() }: LogOptions) {
  const sink = sinkOf(target, clock)
  const line = format === 'json' ? jsonLine : textLine
  return {
    /** Writes one line with a timestamp, without secrets. */
    write: (entry: Entry): void => sink.write(`${line(entry, clock())}\n`),
    close: (): void => sink.close(),
  }
}

/** `/api/login: 403 192.0.2.1 wrong-credentials POST 12ms`. */
export function textOf(entry: Entry): string {
  if (typeof entry === 'string') return entry
  const { path, status, address, code, method, ms } = entry
  return `${path}: ${status} ${address ?? 'unix'} ${code ?? '-'} ${method} ${ms}ms`
}

/** One entry for each failed request, or for every request with `all`. */
export function logRequests({ log, all }: { log: (entry: RequestEntry) => void; all: boolean }): Layer {
  return (c, next) => {
    const start = performance.now()
    return after(next(), (response) => {
      const { status } = response
      if (status < 400 && !all) return response
      const code = isAppError(c.error) ? c.error.code : null
      const ms = Math.round(performance.now() - start)
      log({ path: plainPath(c.path), status, address: c.bindings.peer, code, method: c.request.method, ms })
      return response
    })
  }
}

function textLine(entry: Entry, now: Date): string {
  return `${stamp(now)} ${oneLine(withoutSecrets(textOf(entry)))}`
}

/** Characters that a terminal would act on are escaped, beyond what JSON requires. */
function jsonLine(entry: Entry, now: Date): string {
  const told = typeof entry === 'string' ? { message: withoutSecrets(entry) } : { ...entry, path: withoutSecrets(entry.path) }
  const line = JSON.stringify({ time: now.toISOString(), ...told })
  return line.replace(/[\u007f-\u009f\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Removes everything that a reader of the log could misuse: credentials in addresses, names of links, and anything shaped like a token. */
export function withoutSecrets(text: string): string {
  return withoutLinks(text)
    .replace(/([?&](?:auth|token|ticket|password|recaptcha)=)[^&\s"'#]*/gi, '$1***')
    .replace(/(?<![\w.-])[\w.-]+/g, (run) => (run.includes('eyJ') ? withoutTokens(run) : run))
}

const SLASHES = '(?:/|%2f)+'
const SEGMENT = '(?:(?!%2f)[^/?#\\s])+'
const PUBLIC = new RegExp(`(/api${SLASHES}public${SLASHES})(${SEGMENT})(${SLASHES})(${SEGMENT})(${SLASHES})?(${SEGMENT})?`, 'gi')
const BY_NAME = new RegExp(`(/(?:api${SLASHES}shares|share)${SLASHES})${SEGMENT}`, 'gi')

/** The name of a link opens it, and the secret of a visitor's upload lets anybody continue it (A16). However the slashes are written. */
function withoutLinks(text: string): string {
  return text
    .replace(PUBLIC, (_, head: string, call: string, slashes: string, first: string, more = '', second = '') => {
      if (call.toLowerCase() === 'preview') return `${head}${call}${slashes}${first}${more}${second === '' ? '' : '***'}`
      const rest = call.toLowerCase() === 'tus' && second !== '' ? '***' : second
      return `${head}${call}${slashes}***${more}${rest}`
    })
    .replace(BY_NAME, '$1***')
}

/** Three parts between dots, of which the first contains the head of a token. Checked part by part, so that the time is linear in the length. */
function withoutTokens(run: string): string {
  const parts = run.split('.')
  const told: string[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const head = i + 2 < parts.length ? part.search(/\beyJ[\w-]{8}/) : -1
    told.push(head < 0 ? part : `${part.slice(0, head)}***`)
    if (head >= 0) i += 2
  }
  return told.join('.')
}

/** Decodes needless percent-encoding, so that `/api/%6cogin` is found as what it is. */
function plainPath(path: string): string {
  return path.replace(/%(2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/gi, (code) => decodeURIComponent(code))
}

/** Control characters must not reach a terminal or start another line. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (char) =>
    char === '\n' ? ' | ' : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** In the format of Go's log package, local time: `2026/11/21 04:31:01`. */
function stamp(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${now.getFullYear()}/${two(now.getMonth() + 1)}/${two(now.getDate())}`
  return `${day} ${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`
}

/** If nobody reads the stream any more, the line is lost but the request is not. */
function sinkTo(stream: NodeJS.WriteStream): { write(text: string): void; close(): void } {
  if (!stream.listeners('error').includes(ignoreClosed)) stream.on('error', ignoreClosed)
  return { write: (text) => void stream.write(text), close: () => {} }
}

function ignoreClosed(error: Error): void {
  if (codeOf(error) !== 'EPIPE') throw error
}

function sinkOf(target: string, clock: () => Date): { write(text: string): void; close(): void } {
  if (target === '') return { write: () => {}, close: () => {} }
  if (target === 'stdout') return sinkTo(process.stdout)
  if (target === 'stderr') return sinkTo(process.stderr)
  return openLogFile(target, { clock })
}
