/** Why we close a socket (RFC 6455 §7.4.1). */
export const CLOSE = { normal: 1000, unsupportedData: 1003, policyViolation: 1008 } as const

/** One open connection (RFC 6455), as its owner sees it. */
export interface Socket {
  /** Resolves when the other side has kept up; at once when it is gone. */
  send(text: string): Promise<void>
  /** The same with a binary frame. */
  sendBytes(bytes: Uint8Array): Promise<void>
  close(code?: number): void
}

/** What becomes of a connection after its upgrade. */
export interface SocketOwner {
  opened(socket: Socket): void
  /** Text only; anything else closes the connection. */
  received(text: string): void
  /** Whoever ended it. */
  closed(): void
}

/** Answers an upgrade with one; false when the request asked for none. Once true, the handler's response is not sent any more. */
export type Upgrade = (owner: SocketOwner, options: { protocol: string | null }) => boolean

/** Whether a request asks to become a socket. */
export function wantsSocket({ headers }: Request): boolean {
  return headers.get('upgrade')?.toLowerCase() === 'websocket'
}

/** The subprotocols a client offers, in its order. */
export function offeredProtocols({ headers }: Request): string[] {
  return (headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
}
