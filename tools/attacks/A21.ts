import type { Attack } from './attack.ts'

/** What a client may say of the host so that the runtime makes no whole address of it. */
const HOSTS = ['', 'Host: \r\n', 'Host: a b\r\n', 'Host: a@b\r\n', 'Host: a/api\r\n']
/** Of which a proxy in front may take the one, and we the other. */
const SEVERAL = ['Host: a\r\nHost: b\r\n', 'Host: a, b\r\n']

export const attack: Attack = {
  row: 'A21',
  title: 'reach a call under another path than its own, past a proxy that refuses this path',
  async run(server) {
    server.write('ann/a.txt', 'what a proxy keeps back')
    const { token } = await server.user('ann', { scope: '/ann' })
    let got = 0
    for (const host of HOSTS) {
      const head = `GET /x/api/raw/a.txt HTTP/1.${host === '' ? 0 : 1}\r\n${host}X-Auth: ${token}\r\nConnection: close\r\n\r\n`
      const isServed = (await server.raw(head)).includes('what a proxy keeps back')
      got += Number(isServed)
      server.note(`/x/api/raw/a.txt with ${host === '' ? 'no host' : host.trim()}: ${isServed ? 'the file' : 'not the file'}`)
    }
    for (const host of SEVERAL) {
      const answer = await server.raw(`GET /api/raw/a.txt HTTP/1.1\r\n${host}X-Auth: ${token}\r\nConnection: close\r\n\r\n`)
      const isServed = answer.includes('what a proxy keeps back')
      got += Number(isServed)
      server.note(`/api/raw/a.txt with ${host.trim().replace('\r\n', ' and ')}: ${isServed ? 'the file' : answer.split('\r\n')[0]}`)
    }
    return got === 0 ? 'refused' : 'succeeded'
  },
}
