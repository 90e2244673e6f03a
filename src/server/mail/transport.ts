import { createTransport } from 'nodemailer'
import type { StoredMail } from './settings.ts'

/** A message that is ready to be sent. */
export interface Message {
  readonly to: string
  readonly fromName: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** BCP 47. */
  readonly language: string
}

/** Hands a message to the SMTP server. Fails with the server's or the connection's error, and when `signal` is aborted. */
export type SendMail = (settings: StoredMail, message: Message, signal: AbortSignal) => Promise<void>

const CONNECT_MS = 10_000
const ANSWER_MS = 20_000

/** SMTP (RFC 5321) with STARTTLS (RFC 3207) or TLS (RFC 8314); certificates are always checked. */
export const sendBySmtp: SendMail = async (settings, { to, fromName, subject, text, html, language }, signal) => {
  signal.throwIfAborted()
  const { host, port, security, username, password, from } = settings
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(username !== '' && { auth: { user: username, pass: password } }),
    tls: { minVersion: 'TLSv1.2' },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    // A text that looks like a path or an address is a text.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const sending = transport.sendMail({
      from: { name: fromName, address: from },
      to: { name: '', address: to },
      subject,
      text,
      html,
      // RFC 3834: nobody's absence notice is to answer.
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    })
    // Nobody waits for a connection that is given up; it ends by its own limits.
    sending.catch(() => undefined)
    await Promise.race([sending, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
    transport.close()
  }
}
