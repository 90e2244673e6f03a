import type { MailChange, MailSettings } from '../../shared/contract/mail.ts'
import { fail } from '../../shared/errors.ts'
import type { Settings } from '../settings/settings.ts'

export type StoredMail = Settings['mail']

/** Ports of mail (RFC 6409, RFC 8314) and what providers use beside them: an administrator must not probe other services of the network. */
const PORTS: readonly number[] = [25, 465, 587, 1025, 2465, 2525, 2587]

/** RFC 5321 §4.1.2, without quoted names and address literals, which nobody has. */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9\u0080-\uffff]([a-z0-9\u0080-\uffff.-]{0,251}[a-z0-9\u0080-\uffff])?$/i

export function isMailAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text) && !text.includes('..')
}

/** As administrators see them: without the password. */
export function shownSettings({ password, ...mail }: StoredMail): MailSettings {
  return { ...mail, hasPassword: password !== '' }
}

/** What is stored after a change. Fails with `invalid-input`, one issue for each field. */
export function changedSettings(before: StoredMail, { password, current_password: _proof, ...wanted }: MailChange): StoredMail {
  const isSameServer = wanted.host === before.host && wanted.port === before.port && wanted.username === before.username
  const after = {
    ...wanted,
    quotas: wanted.quotas ?? before.quotas,
    site: wanted.site.replace(/\/+$/, ''),
    password: password ?? (isSameServer ? before.password : ''),
  }
  const issues = after.host === '' ? [] : issuesOf(after)
  if (issues.length > 0) fail('invalid-input', { issues })
  return after
}

function issuesOf({ host, port, from, site, security, username }: StoredMail): string[] {
  const url = URL.parse(site)
  const isSite = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
  return [
    ...(/^[\w.:-]+$/.test(host) ? [] : ['host: not the name of a server']),
    ...(PORTS.includes(port) ? [] : [`port: not one of ${PORTS.join(', ')}`]),
    ...(isMailAddress(from) ? [] : ['from: not an address']),
    ...(isSite ? [] : ['site: not an address of a website']),
    ...(security === 'none' && username !== '' ? ['security: a password needs an encrypted connection'] : []),
  ]
}
