import { TERMINAL_PROTOCOL } from '../../src/shared/contract/terminal.ts'
import type { Attack, Client, TestServer } from './attack.ts'
import { WITH_COMMANDS } from './commands.ts'

const FOLDERS = 40
const FILES_EACH = 500
const SECRET = 'new secret'

export const attack: Attack = {
  row: 'A24',
  title: 'keep a terminal that rules end while it starts: read what is denied, also after the account was disabled',
  server: WITH_COMMANDS,
  async run(server) {
    // Looking for what the pattern denies takes a while.
    for (let n = 0; n < FOLDERS * FILES_EACH; n++) server.write(`ann/d${n % FOLDERS}/f${n}`, '')
    const rules = [{ regex: true, allow: false, path: '', regexp: { raw: 'secret' } }]
    const ann = await server.user('ann', { scope: '/ann', commands: ['sh'], rules })
    let stolen = 0
    for (const delayMs of [20, 60, 120, 250, 500]) {
      const terminal = await startTerminal(server, ann)
      await Bun.sleep(delayMs)
      await server.admin.ask(`/api/resources/ann/d0/secret-${delayMs}?override=true`, { method: 'POST', body: SECRET })
      await Bun.sleep(3000)
      terminal.type(`cat /files/d0/secret-${delayMs}\n`)
      await Bun.sleep(1000)
      const isRead = terminal.said().includes(SECRET)
      server.note(
        `saved ${delayMs} ms after the start: ${isRead ? 'read' : `not read; the terminal ${terminal.isOpen() ? 'goes on' : 'has ended'}`}`,
      )
      stolen += Number(isRead)
      terminal.close()
    }
    return stolen === 0 ? 'refused' : 'succeeded'
  },
}

interface Terminal {
  said(): string
  isOpen(): boolean
  type(text: string): void
  close(): void
}

async function startTerminal(server: TestServer, { token }: Client): Promise<Terminal> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/terminal/`, {
    protocols: [TERMINAL_PROTOCOL],
    headers: { 'x-auth': token },
  })
  socket.binaryType = 'arraybuffer'
  let said = ''
  socket.addEventListener('message', ({ data }) => {
    said += typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer).toString()
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the terminal did not open')))
  })
  socket.send(JSON.stringify({ start: { columns: 80, rows: 24 } }))
  return {
    said: () => said,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    type: (text) => socket.send(JSON.stringify({ type: text })),
    close: () => socket.close(),
  }
}
