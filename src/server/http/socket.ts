/** Reasons for closing a socket (RFC 6455 §7.4.1). */
export const CLOSE = { normal: 1000, unsupportedData: 1003, policyViolation: 1008 } as const

/** An open connection (RFC 6455), for its owner. */
export interface Socket {
  /** Resolves when the other side has caught up; at once if it has gone. */
  send(text: string): Promise<void>
  /** The same with a binary frame. */
  sendBytes(bytes: Uint8Array): Promise<void>
  close(code?: number): void
}

/** Handles a connection after its upgrade. */
export interface SocketOwner {
  opened(socket: Socket): void
  /** Text only; anything else closes the connection. */
  received(text: string): void
  /** Closed by either side. */
  closed(): void
}

/** Upgrades the request; false if it did not ask for that. If true, the handler's response is not sent any more. */
export type Upgrade = (owner: SocketOwner, options: { protocol: string | null }) => boolean

/** Whether a request asks for an upgrade to a socket. */
export function wantsSocket({ headers }: Request): boolean {
  return headers.get('upgrade')?.toLowerCase() === 'websocket'
}

/** The subprotocols that a client offers, in its order. */
export function offeredProtocols({ headers }: Request): string[] {
  return (headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
}
