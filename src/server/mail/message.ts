import type { Message } from './transport.ts'
import { type MailText, textsFor } from './texts.ts'

/** What a mail is about. */
export type About = 'invitation' | 'reset' | 'address' | 'changed' | 'shared' | 'test'

export interface Content {
  readonly about: About
  readonly to: string
  /** The name of the installation, as branding has it. */
  readonly site: string
  /** The reader's user name; empty for a test. */
  readonly user: string
  /** Who caused it; empty if nobody did. */
  readonly by: string
  /** The reader's language. */
  readonly locale: string
  /** Without an end if it holds no secret. */
  readonly link: { readonly url: string; readonly expires?: Date } | null
}

/** Names may hold anything: no line ends, and nothing that changes the direction of what follows (Unicode TR 36). */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, ' ').trim()
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? '')
}

/** The paragraphs of each kind: before the link, and after it. */
const PARAGRAPHS: Readonly<Record<About, { readonly before: readonly MailText[]; readonly after: readonly MailText[] }>> = {
  invitation: { before: ['invitation.text'], after: ['once'] },
  reset: { before: ['reset.text'], after: ['once', 'reset.ignore'] },
  address: { before: ['address.text'], after: ['once', 'address.ignore'] },
  shared: { before: ['shared.text'], after: [] },
  changed: { before: ['changed.text', 'changed.advice'], after: [] },
  test: { before: ['test.text'], after: [] },
}

/** A mail as text and as HTML, in the reader's language. */
export function messageOf({ about, to, locale, link, ...names }: Content): Message {
  const { language, texts } = textsFor(locale)
  const until = new Intl.DateTimeFormat(language.tag, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
  const values: Readonly<Record<string, string>> = {
    site: plain(names.site),
    user: plain(names.user),
    by: plain(names.by),
    date: link?.expires === undefined ? '' : until.format(link.expires),
  }
  const filled = (key: MailText, show: (value: string) => string) =>
    texts[key].replace(/\{(\w+)\}/g, (_, name: string) => show(values[name] ?? ''))
  const asText = (key: MailText) => filled(key, (value) => value)
  // Each name keeps its own direction.
  const asHtml = (key: MailText) => filled(key, (value) => `<bdi>${escaped(value)}</bdi>`)

  const { before, after } = PARAGRAPHS[about]
  const greeting: readonly MailText[] = about === 'test' ? [] : ['hello']
  const button: MailText | null = about === 'changed' || about === 'test' ? null : `${about}.button`
  const linkText = link === null || button === null ? [] : [`${asText(button)}:\n${link.url}`]
  const text = [...[...greeting, ...before].map(asText), ...linkText, ...after.map(asText), `-- \n${asText('footer')}`].join('\n\n')
  const paragraph = (inner: string) => `<p style="margin:0 0 16px">${inner}</p>`
  const linkHtml =
    link === null || button === null
      ? ''
      : paragraph(
          `<a href="${escaped(link.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0a6b7c;color:#ffffff;text-decoration:none;font-weight:600">${asHtml(button)}</a>`,
        ) + paragraph(`<span dir="ltr" style="font-size:13px;word-break:break-all;color:#5b6472">${escaped(link.url)}</span>`)
  const html = `<!doctype html>
<html lang="${language.tag}" dir="${language.dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(asText(`${about}.subject`))}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
${[...greeting, ...before].map((key) => paragraph(asHtml(key))).join('\n')}
${linkHtml}
${after.map((key) => paragraph(asHtml(key))).join('\n')}
<p style="margin:24px 0 0;font-size:13px;color:#5b6472">${asHtml('footer')}</p>
</div>
</body>
</html>
`
  return { to, fromName: values.site ?? '', subject: asText(`${about}.subject`), text, html, language: language.tag }
}
