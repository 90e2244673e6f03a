import type { Message } from './transport.ts'
import { type MailText, textsFor } from './texts.ts'

/** What mails tell of that users may switch off, and that is made when it is sent. */
export const NOTICES = ['arrived', 'quota', 'quota-full', 'quota-other', 'quota-other-full', 'device'] as const
export type NoticeAbout = (typeof NOTICES)[number]

/** What a mail is about. */
export type About = 'invitation' | 'reset' | 'address' | 'address-changed' | 'changed' | 'shared' | 'test' | NoticeAbout

/** Files in a folder. */
export interface Section {
  readonly title: string
  readonly items: readonly { readonly name: string; readonly size: string }[]
  /** How many more there are, as text; empty if there are none. */
  readonly more: string
  /** Of the folder. */
  readonly url: string
}

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
  /** For further placeholders of the texts. */
  readonly values?: Readonly<Record<string, string>>
  /** Lines with a label. */
  readonly facts?: readonly { readonly label: MailText; readonly value: string }[]
  readonly sections?: readonly Section[]
  /** Address of the page on which the reader switches such mails off. */
  readonly choices?: string
}

/** Names may hold anything: no line ends, and nothing that changes the direction of what follows (Unicode TR 36). */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, ' ')
    .toWellFormed()
    .trim()
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? '')
}

/** A name from anywhere. It keeps its own direction. */
function named(text: string): string {
  return `<bdi>${escaped(plain(text))}</bdi>`
}

interface Paragraphs {
  readonly before: readonly MailText[]
  /** The link's. */
  readonly button?: MailText
  /** After the link. */
  readonly after: readonly MailText[]
}

/** The paragraphs of each kind. */
const PARAGRAPHS: Readonly<Record<About, Paragraphs>> = {
  invitation: { before: ['invitation.text'], button: 'invitation.button', after: ['once'] },
  reset: { before: ['reset.text'], button: 'reset.button', after: ['once', 'reset.ignore'] },
  address: { before: ['address.text'], button: 'address.button', after: ['once', 'address.ignore'] },
  shared: { before: ['shared.text'], button: 'shared.button', after: [] },
  changed: { before: ['changed.text', 'changed.advice'], after: [] },
  'address-changed': { before: ['address-changed.text', 'changed.advice'], after: [] },
  arrived: { before: ['arrived.text'], after: [] },
  quota: { before: ['quota.text', 'used'], after: [] },
  'quota-full': { before: ['quota-full.text', 'used'], after: [] },
  'quota-other': { before: ['quota-other.text', 'used'], after: [] },
  'quota-other-full': { before: ['quota-other-full.text', 'used'], after: [] },
  device: { before: ['device.text'], button: 'device.button', after: ['device.advice'] },
  test: { before: ['test.text'], after: [] },
}

/** A mail as text and as HTML, in the reader's language. */
export function messageOf({ about, to, locale, link, facts = [], sections = [], choices, ...names }: Content): Message {
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
    ...Object.fromEntries(Object.entries(names.values ?? {}).map(([name, value]) => [name, plain(value)])),
    site: plain(names.site),
    user: plain(names.user),
    by: plain(names.by),
    date: link?.expires === undefined ? '' : until.format(link.expires),
  }
  const filled = (key: MailText, show: (value: string) => string, more: Readonly<Record<string, string>> = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (_, name: string) => show(more[name] ?? values[name] ?? ''))
  const asText = (key: MailText, more?: Readonly<Record<string, string>>) => filled(key, (value) => value, more)
  const asHtml = (key: MailText, more?: Readonly<Record<string, string>>) => filled(key, (value) => `<bdi>${escaped(value)}</bdi>`, more)

  const { before, button, after } = PARAGRAPHS[about]
  const greeting: readonly MailText[] = about === 'test' ? [] : ['hello']
  const moreOf = ({ more: count }: Section) => (count === '' ? [] : [{ count }])

  const factsText = facts.length === 0 ? [] : [facts.map(({ label, value }) => `${asText(label)}: ${plain(value)}`).join('\n')]
  const sectionsText = sections.map((section) =>
    [
      `${plain(section.title)}:`,
      ...section.items.map(({ name, size }) => `- ${plain(name)} (${size})`),
      ...moreOf(section).map((more) => `- ${asText('arrived.more', more)}`),
      section.url,
    ].join('\n'),
  )
  const linkText = link === null || button === undefined ? [] : [`${asText(button)}:\n${link.url}`]
  const choicesText = choices === undefined ? [] : [`${asText('choose')}\n${choices}`]
  const body = [...[...greeting, ...before].map((key) => asText(key)), ...factsText, ...sectionsText, ...linkText]
  const text = [...body, ...after.map((key) => asText(key)), ...choicesText, `-- \n${asText('footer')}`].join('\n\n')

  const paragraph = (inner: string) => `<p style="margin:0 0 16px">${inner}</p>`
  const factsHtml = facts.length === 0 ? [] : [paragraph(facts.map(({ label, value }) => `${asHtml(label)}: ${named(value)}`).join('<br>'))]
  const sectionsHtml = sections.map((section) =>
    [
      `<p style="margin:0 0 4px;font-weight:600"><a href="${escaped(section.url)}" style="color:#0a6b7c">${named(section.title)}</a></p>`,
      '<ul style="margin:0 0 16px">',
      ...section.items.map(({ name, size }) => `<li>${named(name)} <span style="color:#5b6472">(${named(size)})</span></li>`),
      ...moreOf(section).map((more) => `<li>${asHtml('arrived.more', more)}</li>`),
      '</ul>',
    ].join('\n'),
  )
  const linkHtml =
    link === null || button === undefined
      ? []
      : [
          paragraph(
            `<a href="${escaped(link.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0a6b7c;color:#ffffff;text-decoration:none;font-weight:600">${asHtml(button)}</a>`,
          ) + paragraph(`<span dir="ltr" style="font-size:13px;word-break:break-all;color:#5b6472">${escaped(link.url)}</span>`),
        ]
  const small = (inner: string) => `<p style="margin:24px 0 0;font-size:13px;color:#5b6472">${inner}</p>`
  const choicesHtml =
    choices === undefined
      ? []
      : [small(`<a href="${escaped(choices)}" style="color:#5b6472">${asHtml('choose').replace(/\s?[:：]$/, '')}</a>`)]
  const html = `<!doctype html>
<html lang="${language.tag}" dir="${language.dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(asText(`${about}.subject`))}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
${[
  ...[...greeting, ...before].map((key) => paragraph(asHtml(key))),
  ...factsHtml,
  ...sectionsHtml,
  ...linkHtml,
  ...after.map((key) => paragraph(asHtml(key))),
  ...choicesHtml,
  small(asHtml('footer')),
].join('\n')}
</div>
</body>
</html>
`
  return { to, fromName: values['site'] ?? '', subject: asText(`${about}.subject`), text, html, language: language.tag }
}
