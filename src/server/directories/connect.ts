import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { addressIn, type StoredDirectory } from './directory.ts'
import { DirectoryProblem, reasonOf } from './problem.ts'

/** To one of several servers; the next one is asked after that. */
const CONNECT_MS = 4000
/** Of the answer to one question: nothing that is asked for is as large, and the library copies all of an unfinished message for each piece of it. */
const MAX_BYTES = 4 * 1024 * 1024

/** StartTLS (RFC 4511 §4.14): message 1, an extended request for 1.3.6.1.4.1.1466.20037. */
const START_TLS = Buffer.concat([Buffer.from('301d02010177188016', 'hex'), Buffer.from('1.3.6.1.4.1.1466.20037')])
const MAX_ANSWER_BYTES = 4096

export interface Connected {
  readonly socket: Socket
  /** Which server, and how, for administrators. */
  readonly steps: readonly { readonly step: 'connect' | 'tls'; readonly detail: string }[]
  /** Another question is asked, whose answer may be as large as those before. */
  readonly renew: () => void
}

/**
 * A connection to the first server that answers, with TLS unless the directory does without. Nothing is sent before TLS but the request for it.
 * Throws `DirectoryProblem`.
 */
export async function connect(directory: StoredDirectory, signal: AbortSignal): Promise<Connected> {
  const reasons: string[] = []
  for (const url of directory.urls) {
    try {
      return await connectTo(url, directory, AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]))
    } catch (error) {
      reasons.push(`${url}: ${isTimeout(error) ? 'no answer in time' : reasonOf(error)}`)
    }
    if (signal.aborted) break
  }
  throw new DirectoryProblem('away', reasons.join('; '))
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

async function connectTo(url: string, { ca, startTls }: StoredDirectory, signal: AbortSignal): Promise<Connected> {
  const address = addressIn(url)
  if (address === null) throw new Error('not an address')
  const { host, port, tls } = address
  const socket = await opened(connectTcp({ host, port }), { event: 'connect', signal })
  const reached = { step: 'connect' as const, detail: `${url} (${socket.remoteAddress ?? ''})` }
  try {
    if (!tls && startTls) await askForTls(socket, signal)
    if (!tls && !startTls)
      return { ...limited(socket), steps: [reached, { step: 'tls', detail: 'none: the directory is on this machine' }] }
    // The name in the address must be one of the certificate’s; without `host`, it would be compared with `localhost`.
    const options = { socket, host, servername: isName(host) ? host : '', minVersion: 'TLSv1.2' as const, ...(ca !== '' && { ca }) }
    const secure = await opened(connectTls(options), { event: 'secureConnect', signal })
    const detail = `${secure.getProtocol() ?? 'TLS'}, certificate of ${host} is trusted${ca === '' ? '' : ' by the given authority'}`
    return { ...limited(secure), steps: [reached, { step: 'tls', detail }] }
  } catch (error) {
    socket.destroy()
    throw new Error(`TLS: ${isTimeout(error) ? 'no answer in time' : reasonOf(error)}`, { cause: error })
  }
}

/** An address is not sent as the name that is wanted (RFC 6066 §3). */
function isName(host: string): boolean {
  return !host.includes(':') && !/^[\d.]+$/.test(host)
}

function opened<S extends Socket>(socket: S, { event, signal }: { event: 'connect' | 'secureConnect'; signal: AbortSignal }): Promise<S> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => () => {
      signal.removeEventListener('abort', abort)
      socket.removeListener('error', failed)
      socket.removeListener('close', closed)
      finish()
    }
    const fail = (error: unknown): void => {
      // What still goes wrong with it concerns nobody.
      socket.on('error', () => undefined)
      socket.destroy()
      reject(error)
    }
    const abort = (): void => end(() => fail(signal.reason))()
    const failed = (error: Error): void => end(() => fail(error))()
    const closed = (): void => end(() => fail(new Error('the connection was closed')))()
    socket.once(
      event,
      end(() => resolve(socket)),
    )
    socket.once('error', failed)
    socket.once('close', closed)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
  })
}

/**
 * Asks for TLS. The answer must be one message and not a byte more: what somebody on the way put behind it would be read after TLS, as if it had come
 * through TLS (response injection).
 */
function askForTls(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const end = (finish: () => void): void => {
      signal.removeEventListener('abort', abort)
      socket.removeListener('data', read)
      socket.removeListener('error', failed)
      socket.removeListener('close', closed)
      socket.pause()
      finish()
    }
    const refuse = (why: string): void => end(() => reject(new Error(why)))
    const abort = (): void => end(() => reject(signal.reason))
    const failed = (error: Error): void => end(() => reject(error))
    const closed = (): void => refuse('the connection was closed instead of StartTLS')
    const read = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk])
      const answer = startTlsAnswer(received)
      if (answer === 'unfinished') return
      if (answer === 'ready') end(resolve)
      else refuse(answer)
    }
    socket.on('data', read)
    socket.on('error', failed)
    socket.on('close', closed)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    else socket.write(START_TLS)
  })
}

/** `ready`, `unfinished`, or why TLS cannot begin: of an extended response to message 1 (RFC 4511 §4.12). */
export function startTlsAnswer(bytes: Buffer): string {
  const message = element(bytes, 0)
  if (message === null) return bytes.length > MAX_ANSWER_BYTES ? 'the answer to StartTLS is too long' : 'unfinished'
  if (message.end !== bytes.length) return 'something was sent behind the answer to StartTLS'
  const id = element(bytes, message.start)
  const response = id === null ? null : element(bytes, id.end)
  const result = response === null ? null : element(bytes, response.start)
  const isAnswer = message.tag === 0x30 && id?.tag === 0x02 && bytes[id.start] === 1 && response?.tag === 0x78 && result?.tag === 0x0a
  if (!isAnswer || result === null) return 'the answer to StartTLS is not one'
  const code = bytes[result.start]
  return code === 0 && result.end - result.start === 1 ? 'ready' : `StartTLS is refused (result ${code})`
}

/** An element of BER (X.690) with a definite length; null if it is not complete. */
function element(bytes: Buffer, at: number): { tag: number; start: number; end: number } | null {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined) return null
  const more = first < 0x80 ? 0 : first & 0x7f
  if (more > 4 || at + 2 + more > bytes.length) return null
  const length = more === 0 ? (first < 0x80 ? first : 0) : bytes.readUIntBE(at + 2, more)
  const start = at + 2 + more
  return start + length > bytes.length ? null : { tag, start, end: start + length }
}

function limited(socket: Socket): Pick<Connected, 'socket' | 'renew'> {
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_BYTES) socket.destroy(new Error('the directory sends too much'))
  })
  return { socket, renew: () => void (bytes = 0) }
}
