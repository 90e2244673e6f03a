import type { Attack, TestServer } from './attack.ts'
import { WITH_COMMANDS } from './commands.ts'

const PASSWORD = 'a password of somebody signed in'

/** How pages that are not ours come: from another port, a sibling domain, over plain HTTP, without an origin. */
const PAGES: Record<string, Record<string, string>> = {
  'another port, Firefox': { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' },
  'another port, without Sec-Fetch-Site': { origin: 'http://127.0.0.1:9' },
  'a sibling domain': { 'sec-fetch-site': 'same-site', origin: 'https://wiki.example.org' },
  'another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'a page without origin': { origin: 'null' },
  'a socket that does not say whose it is': {},
}

export const attack: Attack = {
  row: 'A2',
  title: 'run commands and read files from a page of another origin, with the cookie of somebody signed in',
  server: WITH_COMMANDS,
  async run(server) {
    server.write('ann/secret.txt', 'what ann alone may read')
    await server.user('ann', { password: PASSWORD, scope: '/ann', commands: ['cat'] })
    const body = JSON.stringify({ username: 'ann', password: PASSWORD })
    const signedIn = await server.visit('/api/login', { method: 'POST', body, headers: { 'x-satchel-web': '1' } })
    const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    const own = await runByCookie(server, { cookie, origin: server.url })
    if (!own.includes('what ann alone may read')) throw new Error(`our own page cannot run a command: ${own}`)
    let got = 0
    for (const [page, headers] of Object.entries(PAGES)) {
      const said = await runByCookie(server, { cookie, ...headers })
      got += Number(said.includes('what ann'))
      server.note(`the command panel from ${page}: ${said === '' ? 'refused' : said}`)
      if (Object.keys(headers).length === 0) continue
      for (const address of ['/api/raw/secret.txt', '/api/raw/?algo=zip', '/api/live/', '/api/resources/']) {
        const answer = await server.visit(address, {
          headers: { cookie, ...headers, accept: 'text/event-stream, */*' },
          redirect: 'manual',
        })
        await answer.body?.cancel()
        got += Number(answer.ok)
        server.note(`GET ${address} from ${page}: ${answer.status}`)
      }
    }
    return got === 0 ? 'refused' : 'succeeded'
  },
}

/** @returns what the command said; nothing where the connection was refused */
function runByCookie({ url }: TestServer, headers: Record<string, string>): Promise<string> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/command/`, { headers })
  const frames: string[] = []
  return new Promise((resolve) => {
    socket.onopen = () => socket.send('cat secret.txt')
    socket.onmessage = ({ data }) => void frames.push(String(data))
    socket.onclose = () => resolve(frames.join(' '))
  })
}
