import { CLOSE, type Socket, type SocketOwner, type Upgrade } from './http/socket.ts'

export interface Connection {
  readonly owner: SocketOwner
  /** Resolved when the other side has caught up. */
  readonly waiting: (() => void)[]
}

/** Commands and the like are short; a longer frame closes the connection before it is in memory (GHSA-39cx-23x9-5c8p). */
const MAX_FRAME_BYTES = 64 * 1024
/** A quiet program is not a dead client: the runtime sends pings. */
const QUIET_SECONDS = 120

export const websocket: Bun.WebSocketHandler<Connection> = {
  maxPayloadLength: MAX_FRAME_BYTES,
  idleTimeout: QUIET_SECONDS,
  sendPings: true,
  perMessageDeflate: false,
  open: (ws) => ws.data.owner.opened(socketOn(ws)),
  message(ws, message) {
    if (typeof message === 'string') ws.data.owner.received(message)
    else ws.close(CLOSE.unsupportedData)
  },
  drain: (ws) => release(ws.data),
  close(ws) {
    release(ws.data)
    ws.data.owner.closed()
  },
}

/** As `Upgrade`. */
export function upgradeOn(server: Bun.Server<Connection>, request: Request, ...[owner, { protocol }]: Parameters<Upgrade>): boolean {
  const headers: Record<string, string> = protocol === null ? {} : { 'sec-websocket-protocol': protocol }
  return server.upgrade(request, { data: { owner, waiting: [] }, headers })
}

function socketOn(ws: Bun.ServerWebSocket<Connection>): Socket {
  // −1: the client reads more slowly than we write; 0: it has gone.
  const keptUp = async (sent: number): Promise<void> => {
    if (sent === -1) await new Promise<void>((go) => ws.data.waiting.push(go))
  }
  return {
    send: (text) => keptUp(ws.sendText(text)),
    sendBytes: (bytes) => keptUp(ws.sendBinary(bytes)),
    close: (code) => ws.close(code),
  }
}

function release({ waiting }: Connection): void {
  for (const go of waiting.splice(0)) go()
}
