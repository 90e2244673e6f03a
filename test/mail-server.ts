import { SMTPServer } from 'smtp-server'

/** A mail as it arrived: headers and body, decoded as far as tests need it. */
export interface Arrived {
  readonly to: string[]
  readonly raw: string
  readonly text: string
  readonly subject: string
}

export interface MailServer extends AsyncDisposable {
  readonly port: number
  readonly arrived: Arrived[]
  /** Answers that it gives instead of accepting, in this order; then it accepts. */
  readonly refusals: { readonly code: number; readonly text: string }[]
}

export interface MailServerOptions {
  /** Who may send; anybody if absent. */
  login?: { user: string; pass: string }
  /** The first of them that is free. */
  ports?: readonly number[]
}

/** A real SMTP server on this machine, without encryption. */
export async function startMailServer({ login, ports = [0] }: MailServerOptions = {}): Promise<MailServer> {
  const arrived: Arrived[] = []
  const refusals: { code: number; text: string }[] = []
  const server = new SMTPServer({
    authOptional: login === undefined,
    disabledCommands: login === undefined ? ['STARTTLS', 'AUTH'] : [],
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.pass) done(null, { user: username })
      else done(new Error('wrong user name or password'))
    },
    onRcptTo(_address, _session, done) {
      const refusal = refusals.shift()
      done(refusal === undefined ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        arrived.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw, text: textIn(raw), subject: subjectIn(raw) })
        done()
      })
    },
  })
  for (const [at, wanted] of ports.entries()) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.server.once('error', reject)
        server.listen(wanted, '127.0.0.1', () => resolve())
      })
      break
    } catch (error) {
      if (at === ports.length - 1) throw error
    }
  }
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    port,
    arrived,
    refusals,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

/** The secret of the link in a mail. */
export function secretIn({ text }: Arrived): string {
  return /\/password#([\w-]{43})/.exec(text)?.[1] ?? ''
}

function subjectIn(raw: string): string {
  const lines = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1] ?? ''
  return lines
    .replace(/\r\n[ \t]/g, ' ')
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?(b|q)\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : quoted(word.replaceAll('_', ' ')),
    )
}

/** The text part. */
function textIn(raw: string): string {
  const part = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n-{4}/.exec(raw)
  const encoding = /Content-Transfer-Encoding: (\S+)/i.exec(part?.[0] ?? '')?.[1] ?? ''
  const body = part?.[1] ?? ''
  return encoding === 'base64' ? Buffer.from(body, 'base64').toString() : encoding === 'quoted-printable' ? quoted(body) : body
}

function quoted(text: string): string {
  const bytes = text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
