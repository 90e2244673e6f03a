import { href } from '../../shared/contract/endpoint.ts'
import {
  TERMINAL_PROTOCOL,
  TERMINAL_WINDOW_BYTES,
  TerminalMessage,
  type TerminalRequest,
  type TerminalSize,
  terminal,
} from '../../shared/contract/terminal.ts'
import { AppError } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { refusalOf, socketAddress } from './sockets.ts'

const client = clientFor({ terminal })

export type TerminalConnection = ReturnType<typeof openTerminal>

export interface TerminalEvents {
  readonly onOpen: () => void
  /** @param shown call it when these bytes are rendered, for flow control */
  readonly onOutput: (bytes: Uint8Array, shown: () => void) => void
  /** The last event. As with `runCommandLine`, an error says why there was no shell, or that the connection dropped. */
  readonly onEnd: (ending: TerminalMessage | AppError) => void
}

/** A WebSocket frame is limited to 64 KiB; this many characters always fit. */
const LONGEST_PIECE = 8000

/** Opens a shell in a folder over its own WebSocket, authenticated by the cookie. */
export function openTerminal(folder: FilePath, size: TerminalSize, { onOpen, onOutput, onEnd }: TerminalEvents) {
  const params = { path: folder, slash: folder !== ROOT }
  const socket = new WebSocket(socketAddress(href(terminal.socket, { params })), TERMINAL_PROTOCOL)
  const send = (request: TerminalRequest) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(request))
  let ending: TerminalMessage | null = null
  let opened = false
  let hungUp = false
  let unsaid = 0
  // One acknowledgement for several chunks.
  const shown = (bytes: number) => {
    unsaid += bytes
    if (unsaid < TERMINAL_WINDOW_BYTES / 8) return
    send({ seen: unsaid })
    unsaid = 0
  }

  socket.binaryType = 'arraybuffer'
  socket.addEventListener('open', () => {
    opened = true
    send({ start: size })
    onOpen()
  })
  socket.addEventListener('message', ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return void (ending = TerminalMessage.parse(JSON.parse(String(data))))
    onOutput(new Uint8Array(data), () => shown(data.byteLength))
  })
  socket.addEventListener('close', () => {
    if (ending !== null) onEnd(ending)
    else if (hungUp) onEnd({ ended: 'aborted', exit: null })
    else if (opened) onEnd(new AppError('offline', {}))
    else void refusalOf(() => client.terminal.socket({ params })).then(onEnd)
  })
  return {
    type(text: string) {
      for (let at = 0; at < text.length;) {
        const piece = withoutSplitSurrogate(text.slice(at, at + LONGEST_PIECE))
        send({ type: piece })
        at += piece.length
      }
    },
    resize: (next: TerminalSize) => void send({ size: next }),
    /** Ends the shell and all its processes. */
    close() {
      hungUp = true
      socket.close()
    },
  }
}

/** Does not split a surrogate pair. */
function withoutSplitSurrogate(piece: string): string {
  return piece.length > 1 && piece.length === LONGEST_PIECE && /[\uD800-\uDBFF]$/.test(piece) ? piece.slice(0, -1) : piece
}
