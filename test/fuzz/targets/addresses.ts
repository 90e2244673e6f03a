import { isIP } from 'node:net'
import { createPeerResolver } from '../../../src/server/peer.ts'
import { createReach, isPublic, Unreachable } from '../../../src/server/webhooks/reach.ts'
import { must, type Target, textOf } from '../target.ts'

/** What a name server says, which may be somebody who means harm. */
let answers: readonly string[] = []
const reach = createReach({ allowed: ['10.9.0.0/16'], resolve: async () => answers })
const origins = createPeerResolver(['10.0.0.0/8', 'fd00::/8'])

/** Where a webhook may go, and who is believed to ask: the first line is an address of the web, the second X-Forwarded-For. */
export const target: Target = {
  seeds: [
    'https://example.com:8443/x?y\n1.2.3.4, 10.0.0.1',
    'http://127.0.0.1/\n"[2001:db8::1]:80", 10.1.1.1',
    'https://[::ffff:7f00:1]/\n::ffff:1.2.3.4',
    'https://0x7f.1/\n10.0.0.1, unknown',
    'https://[64:ff9b::a00:1]/\n,,',
    'http://x.example:22/\n10.9.0.1',
    'https://x.example/\n8.8.8.8, 9.9.9.9',
    'https://8.8.8.8/\nfe80::1%eth0, 10.0.0.2',
  ],
  words: ['[::]', '2130706433', '0177.0.0.1', '169.254.169.254', '[2002:7f00:1::]', '[fd00::1]', '@', '#', '\\', '。', '%31', '::ffff:'],
  most: 200,
  async holds(bytes) {
    const [address = '', forwarded = ''] = textOf(bytes).split('\n', 2)
    answers = forwarded
      .split(',')
      .map((one) => one.trim())
      .filter((one) => isIP(one) !== 0)
    if (reach.problemOf(address) === null) {
      allowed(new URL(address))
      await reached(address)
    }
    for (const text of [address, forwarded]) if (isIP(text) !== 0 && isPublic(text)) outside(text)

    const headers = new Headers()
    headers.set('x-forwarded-for', forwarded.replaceAll(/[^\t\x20-\x7e]/g, ''))
    const { peer } = origins({ address: () => '10.0.0.9', tls: false }, headers)
    must(peer !== null && isIP(peer) !== 0 && !peer.includes('%'), 'somebody who asks has no address')
    const stranger = origins({ address: () => '203.0.113.9', tls: false }, headers)
    must(stranger.peer === '203.0.113.9' && !headers.has('x-forwarded-for'), 'a stranger is believed')
  },
}

/** A name is judged by its addresses, when they are known. */
function allowed({ protocol, hostname, username, port }: URL): void {
  must(username === '' && /^https?:$/.test(protocol), 'a webhook brings a name along, or goes elsewhere than into the web')
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(literal) === 0) return
  if (isExcepted(literal)) return
  must(protocol === 'https:' && port !== '22', 'a webhook goes without TLS, or to a service of the system')
  outside(literal)
}

/** The port and the way are judged by where the name leads. */
async function reached(text: string): Promise<void> {
  const found = await reach.targetOf(text).catch((error: unknown) => {
    if (error instanceof Unreachable) return null
    throw error
  })
  if (found === null) return
  must(isIP(found.address) !== 0 && found.path.startsWith('/'), 'a webhook has no address')
  if (isExcepted(found.address)) return
  must(found.tls && (found.port === 443 || found.port === 80 || found.port >= 1024), 'a webhook goes to a service of the system')
  for (const answer of isIP(found.hostname) === 0 ? answers : []) if (!isExcepted(answer)) outside(answer)
}

function isExcepted(address: string): boolean {
  return /^(?:::ffff:)?(?:10\.9\.|a09:)/i.test(address)
}

/** By the leading bits, another way than by lists. */
function outside(address: string): void {
  if (isIP(address) === 4) {
    const [a = 0, b = 0] = address.split('.').map(Number)
    const isInside =
      a === 0 || a === 10 || a === 127 || a >= 224 || (a === 172 && b >> 4 === 1) || (a === 192 && b === 168) || (a === 169 && b === 254)
    must(!isInside && !(a === 100 && b >> 6 === 1), 'a private address is public')
    return
  }
  const short = URL.parse(`http://[${address.split('%', 1)[0]}]`)?.hostname ?? ''
  const first = Number.parseInt(/^\[([0-9a-f]+):/.exec(short)?.[1] ?? '0', 16)
  must(first >> 13 === 1 || /^\[(::ffff|64:ff9b:):/.test(short), 'an address that is assigned to nobody is public')
  must(first !== 0x2002, 'an address that stands for another is public')
}
