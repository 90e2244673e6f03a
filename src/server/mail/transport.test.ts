import { describe, expect, it } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { Settings } from '../settings/settings.ts'
import { sendBySmtp } from './transport.ts'

const MESSAGE = { to: 'x@example.org', fromName: 'The Attic', subject: 'Grüße', text: 'text', html: '<p>text</p>', language: 'de' }
const signal = () => AbortSignal.timeout(20_000)

async function withServer(
  options: ConstructorParameters<typeof SMTPServer>[0],
  work: (port: number, received: { count: number; logins: string[] }) => Promise<void>,
) {
  const received = { count: 0, logins: [] as string[] }
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    ...options,
    onAuth({ username, password }, _session, done) {
      received.logins.push(`${username}:${password}`)
      done(null, { user: username })
    },
    onData(stream, _session, done) {
      stream.resume()
      stream.on('end', () => {
        received.count++
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  try {
    await work(typeof address === 'object' && address !== null ? address.port : 0, received)
  } finally {
    await new Promise<void>((resolve) => void server.close(() => resolve()))
  }
}

const settings = (port: number, security: 'tls' | 'starttls' | 'none', username = '') => ({
  ...Settings.parse({}).mail,
  host: '127.0.0.1',
  port,
  security,
  username,
  password: username === '' ? '' : 'secret',
  from: 'files@example.org',
})

describe('a mail server', () => {
  it('that offers no STARTTLS, or that somebody in between took it from, gets neither password nor mail; without the requirement it does', async () => {
    await withServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true }, async (port, received) => {
      expect(sendBySmtp(settings(port, 'starttls', 'u'), MESSAGE, signal())).rejects.toThrow()
      await sendBySmtp(settings(port, 'starttls', 'u'), MESSAGE, signal()).catch(() => undefined)
      expect(received).toEqual({ count: 0, logins: [] })
      await sendBySmtp(settings(port, 'none', 'u'), MESSAGE, signal())
      expect(received).toEqual({ count: 1, logins: ['u:secret'] })
    })
  })

  it('with a certificate that nobody vouches for gets neither password nor mail', async () => {
    for (const security of ['tls', 'starttls'] as const)
      await withServer({ secure: security === 'tls' }, async (port, received) => {
        const sent = await sendBySmtp(settings(port, security, 'u'), MESSAGE, signal()).then(
          () => 'sent',
          () => 'refused',
        )
        expect([sent, received]).toEqual(['refused', { count: 0, logins: [] }])
      })
  })

  it('that does not answer holds nobody up for longer than the signal', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
    const stop = new AbortController()
    const sending = sendBySmtp(settings(silent.port, 'none'), MESSAGE, stop.signal).then(
      () => 'sent',
      () => 'refused',
    )
    await Bun.sleep(100)
    stop.abort()
    expect(await Promise.race([sending, Bun.sleep(8000).then(() => 'waits')])).toBe('refused')
    silent.stop(true)
  }, 30_000)
})
