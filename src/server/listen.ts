import { chmodSync, lstatSync, readFileSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { ConfigError } from './config/config-error.ts'
import type { Config } from './config.ts'
import { createAdmission } from './http/admission.ts'
import { bodyFailure } from './http/bytes.ts'
import { holdConnection, type SocketAddress } from './http/connection.ts'
import { sendCounted } from './http/counted.ts'
import type { Upgrade } from './http/socket.ts'
import { createPeerResolver, type PeerInfo } from './peer.ts'
import { type Connection, upgradeOn, websocket } from './sockets.ts'
import { codeOf } from '../shared/errors.ts'

export interface Fetching {
  fetch(request: Request, bindings: Bindings): Response | Promise<Response>
}

export interface Bindings extends PeerInfo {
  readonly upgrade: Upgrade
}

export type Listener = Awaited<ReturnType<typeof listen>>

type ListenConfig = Pick<Config, 'address' | 'port' | 'socket' | 'socketPerm' | 'cert' | 'key' | 'trustedProxies' | 'baseURL'>

/** The runtime's maximum: a connection without progress for this long is closed, whether idle, a stalled upload or a stalled download. */
const QUIET_SECONDS = 255
/** OpenSSL's number for TLS 1.2. */
const TLS_1_2 = 0x0303

/** Listens on the configured address. Throws `ConfigError` if it is in use or not permitted. */
export async function listen(config: ListenConfig, app: Fetching, { log }: { log: (line: string) => void }) {
  const server =
    config.socket === null ? listenOnPort(config, app, log) : await listenOnSocket({ ...config, socket: config.socket }, app, log)
  return {
    /** The address as one would type it. */
    url: addressOf(server, config),
    /** Accepts no new connections; resolves when all running requests have ended, or were cut off after `graceMs`. */
    async stop(graceMs: number): Promise<void> {
      const ended = server.stop()
      const cut = setTimeout(() => void server.stop(true), graceMs)
      await ended
      clearTimeout(cut)
    },
  }
}

function listenOnPort(config: ListenConfig, app: Fetching, log: (line: string) => void): Bun.Server<Connection> {
  const { address, port } = config
  try {
    // Without a name the runtime listens on all addresses, of IPv6 too where the machine has it.
    const hostname = address === '' ? {} : { hostname: address }
    // Outside of development mode the runtime shares ports: a second start would get half of the first one's requests.
    const sharing = { reusePort: false, idleTimeout: QUIET_SECONDS }
    return Bun.serve<Connection>({ ...handling(config, app, log), ...sharing, ...hostname, port, tls: tlsOf(config) })
  } catch (error) {
    throw listenError(error, { place: `${address}:${port}`, way: '--port' })
  }
}

async function listenOnSocket(
  config: ListenConfig & { socket: string },
  app: Fetching,
  log: (line: string) => void,
): Promise<Bun.Server<Connection>> {
  await clearStale(config.socket)
  // Nobody can connect before the permissions are set.
  const before = process.umask(0o177)
  try {
    const options: Parameters<typeof Bun.serve<Connection>>[0] = { ...handling(config, app, log), unix: config.socket }
    // Not in its types, but the runtime closes an idle socket after ten seconds; the proxy in front has its own limits.
    const server = Bun.serve<Connection>(Object.assign(options, { idleTimeout: 0 }))
    chmodSync(config.socket, config.socketPerm)
    return server
  } catch (error) {
    throw listenError(error, { place: config.socket, way: '--socket' })
  } finally {
    process.umask(before)
  }
}

function handling(config: ListenConfig, app: Fetching, log: (line: string) => void) {
  const originOf = createPeerResolver(config.trustedProxies)
  const admission = createAdmission()
  const tls = config.cert !== null

  async function later(
    request: Request,
    server: Bun.Server<Connection>,
    { peer, answered, isSocket }: Later,
  ): Promise<Response | undefined> {
    // A request without body, such as a copy of a large tree, may take as long as it needs; bodies must make progress.
    server.timeout(request, request.body === null ? 0 : QUIET_SECONDS)
    const response = await answered
    if (isSocket()) return undefined
    const counted = tls ? null : sendCounted(request, response, { peer, port: server.port ?? 0, quietSeconds: QUIET_SECONDS })
    if (counted === null) {
      server.timeout(request, QUIET_SECONDS)
      void bodyFailure(response)?.then(() => cutOff(request, peer, server.port ?? 0))
      return response
    }
    // The runtime does not see these bytes move.
    server.timeout(request, 0)
    await counted
    return new Response(null, { headers: { connection: 'close' } })
  }

  return {
    development: false,
    // Files are unlimited; every other body is limited where it is read.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    websocket,
    fetch(request: Request, server: Bun.Server<Connection>): Response | undefined | Promise<Response | undefined> {
      let known: SocketAddress | null | undefined
      const peerOf = (): SocketAddress | null => (known === undefined ? (known = server.requestIP(request)) : known)
      const origin = originOf({ address: () => peerOf()?.address ?? null, tls }, request.headers)
      let isSocket = false
      const upgrade: Upgrade = (...how) => {
        // After an upgrade the runtime does not tell it any more.
        peerOf()
        isSocket = upgradeOn(server, request, ...how)
        return isSocket
      }
      const bindings = Object.assign(origin, { upgrade })
      const answered = admission.run(
        () => origin.peer ?? '',
        ({ hasWaited }) => (hasWaited && request.signal.aborted ? new Response(null, { status: 503 }) : app.fetch(request, bindings)),
      )
      if (answered instanceof Promise) return later(request, server, { peer: peerOf(), answered, isSocket: () => isSocket })
      return isSocket ? undefined : answered
    },
    error(error: Error): Response {
      log(`incident: ${error.stack ?? error.message}`)
      return new Response('500 Internal Server Error\n', { status: 500, headers: { 'content-type': 'text/plain; charset=utf-8' } })
    },
  }
}

interface Later {
  readonly peer: SocketAddress | null
  readonly answered: Promise<Response>
  /** Whether the connection belongs to a socket, so that no response may be sent. */
  readonly isSocket: () => boolean
}

/** Closes a connection whose response broke off midway, unless it has ended by itself. */
function cutOff(request: Request, peer: SocketAddress | null, port: number): void {
  if (peer === null || request.signal.aborted) return
  const connection = holdConnection(peer, port)
  connection?.shutDown()
  connection?.release()
}

function tlsOf({ cert, key }: ListenConfig): Bun.TLSOptions | undefined {
  if (cert === null || key === null) return undefined
  const options = { cert: pem('--cert', cert), key: pem('--key', key), minVersion: TLS_1_2 }
  return options
}

function pem(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`${flag} ${file} cannot be read`, { cause: error })
  }
}

/** A socket that a killed process left behind is unused. */
async function clearStale(socket: string): Promise<void> {
  const found = lstatSync(socket, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) throw new ConfigError(`--socket ${socket} is there and is no socket`)
  if (await answers(socket)) throw new ConfigError(`${socket} is already in use; choose another with --socket`)
  unlinkSync(socket)
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket)
    probe.once('connect', () => resolve(true))
    probe.once('error', () => resolve(false))
    probe.once('close', () => probe.destroy())
    probe.once('connect', () => probe.end())
  })
}

function listenError(error: unknown, { place, way }: { place: string; way: string }): unknown {
  if (error instanceof ConfigError || !(error instanceof Error)) return error
  const code = codeOf(error)
  if (code === 'EADDRINUSE') return new ConfigError(`${place} is already in use; choose another with ${way}`)
  if (code === 'EACCES' || code === 'EPERM') return new ConfigError(`${place} may not be used by this account; choose another with ${way}`)
  if (way === '--port' && ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return new ConfigError(`${place} is no address of this machine; choose another with --address`, { cause: error })
  return new ConfigError(`${place} cannot be listened on: ${(error.message.split('\n')[0] ?? '').trim()}`, { cause: error })
}

function addressOf(server: Bun.Server<Connection>, { address, cert, socket, baseURL }: ListenConfig): string {
  if (socket !== null) return `unix:${socket}`
  const host = address === '' ? 'localhost' : address.includes(':') ? `[${address}]` : address
  return `${cert === null ? 'http' : 'https'}://${host}:${server.port}${baseURL}/`
}
