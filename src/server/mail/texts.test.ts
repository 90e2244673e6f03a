import { describe, expect, it } from 'bun:test'
import { LANGUAGES } from '../../shared/languages.ts'
import { type About, messageOf, NOTICES } from './message.ts'
import { textsFor } from './texts.ts'

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

describe('the texts of mails', () => {
  const english = Object.entries(textsFor('en').texts)

  for (const { code } of LANGUAGES)
    it(`${code}: have every key, with the same placeholders`, () => {
      const { texts, language } = textsFor(code)
      expect(language.code).toBe(code)
      expect(Object.keys(texts).toSorted()).toEqual(english.map(([key]) => key).toSorted())
      for (const [key, text] of english) {
        const own = new Map(Object.entries(texts)).get(key) ?? ''
        expect([key, new Set(namesIn(own))]).toEqual([key, new Set(namesIn(text))])
        if (code !== 'en') expect([key, own === text]).toEqual([key, false])
      }
    })
})

const NOTICE = {
  values: { used: '1', limit: '2', name: 'ann' },
  facts: [{ label: 'device.agent' as const, value: 'Firefox' }],
  sections: [{ title: 'box', items: [{ name: 'a.txt', size: '1 kB' }], more: '5', url: 'https://files.example.org/files/' }],
  choices: 'https://files.example.org/settings/profile',
}

describe('a message', () => {
  const content = {
    about: 'invitation' as About,
    to: 'x@example.org',
    site: 'The <b>Attic</b>',
    user: 'Zoë" onclick="x',
    by: 'mum\r\nBcc: y@example.org \u202E',
    locale: 'ar',
    link: { url: 'https://files.example.org/password#abc', expires: new Date(0) },
  }

  it('has its language and direction, and shows names as names', () => {
    const { subject, html, text, language } = messageOf(content)
    expect(language).toBe('ar')
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(html).toContain('The &lt;b&gt;Attic&lt;/b&gt;')
    expect(html).not.toContain('" onclick="')
    for (const part of [subject, html, text]) expect(part).not.toMatch(/[\r\u202E]/)
    expect(text).toContain('mum  Bcc: y@example.org')
    expect(text).toContain('https://files.example.org/password#abc')
  })

  it('of every kind is complete in every language', () => {
    for (const { code } of LANGUAGES)
      for (const about of ['invitation', 'reset', 'address', 'changed', 'shared', 'test', ...NOTICES] as const) {
        const { subject, text, html } = messageOf({ ...content, ...NOTICE, about, locale: code })
        for (const part of [subject, text, html]) expect([code, about, /\{\w+\}|undefined/.test(part)]).toEqual([code, about, false])
      }
  })
})
