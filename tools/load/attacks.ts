import { connect, type Socket } from 'node:net'

/** What came of those who dawdle on purpose. */
export interface Attack {
  readonly name: string
  readonly connections: number
  readonly outcome: string
}

const LORISES = 60
const READERS = 40
const STUCK = 40
const GUESSERS = 20
const DRIP_MS = 2000

/** Connections that never get on: a byte of a header now and then, a download hardly read, an upload that stops; and guesses at passwords. */
export function startAttacks(url: string, { token, path }: { token: string; path: string }): { stop(): Promise<readonly Attack[]> } {
  const { hostname, port } = new URL(url)
  const end = new AbortController()
  let reopened = 0
  const guesses: Record<string, number> = {}
  const sockets = new Set<Socket>()

  /** Comes back when it is thrown out, as such people do. */
  function keep(begin: (socket: Socket) => void): void {
    const socket = connect({ host: hostname, port: Number(port) }, () => begin(socket))
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      if (end.signal.aborted) return
      reopened++
      setTimeout(() => end.signal.aborted || keep(begin), 500)
    })
  }

  const lines = (first: string, ...more: string[]): string => [first, 'Host: load.test', `X-Auth: ${token}`, ...more, ''].join('\r\n')
  for (let i = 0; i < LORISES; i++) {
    keep((socket) => {
      socket.write('GET /api/resources/ HTTP/1.1\r\nHost: load.test\r\n')
      const drip = setInterval(() => socket.write('X-A: b\r\n'), DRIP_MS)
      socket.on('close', () => clearInterval(drip))
    })
  }
  for (let i = 0; i < READERS; i++) {
    keep((socket) => {
      socket.write(`${lines(`GET ${path} HTTP/1.1`)}\r\n`)
      socket.pause()
      const sip = setInterval(() => void socket.read(1024), DRIP_MS)
      socket.on('close', () => clearInterval(sip))
    })
  }
  for (let i = 0; i < STUCK; i++) {
    keep((socket) => {
      socket.write(`${lines(`POST /api/resources/inbox/stuck-${i} HTTP/1.1`, 'Content-Length: 10000000')}\r\nsome bytes, and then no more`)
      socket.on('data', () => undefined)
    })
  }
  const guessers = Array.from({ length: GUESSERS }, async (_, index) => {
    while (!end.signal.aborted) {
      const body = JSON.stringify({ username: index % 2 === 0 ? 'admin' : `user-${index}`, password: `guess ${Math.random()}` })
      const answer = await fetch(`${url}/api/login`, { method: 'POST', headers: { connection: 'close' }, body }).catch(() => null)
      const status = String(answer?.status ?? 'none')
      guesses[status] = (guesses[status] ?? 0) + 1
      await answer?.arrayBuffer()
      await Bun.sleep(50)
    }
  })

  return {
    async stop() {
      end.abort()
      for (const socket of sockets) socket.destroy()
      await Promise.all(guessers)
      const answers = Object.entries(guesses).map(([status, count]) => `${status}: ${count}`)
      return [
        {
          name: 'headers that never end, downloads hardly read, uploads that stop',
          connections: LORISES + READERS + STUCK,
          outcome: `thrown out ${reopened} times`,
        },
        { name: 'guesses at passwords', connections: GUESSERS, outcome: answers.join(', ') },
      ]
    },
  }
}
