import { describe, expect, it } from 'bun:test'
import { parseXml, serializeXml } from './parse-xml.ts'
import { escapeXml } from './xml.ts'

describe('XML of WebDAV', () => {
  it('means the same when it is written again, wherever it stands', () => {
    const source = `<p:a xmlns:p="urn:p" xmlns="urn:d" b="1&#10;2" p:c="&quot;" xml:lang="de"><d/><p:e><![CDATA[<&]]>]]&gt;</p:e><f xmlns=""/></p:a>`
    const written = serializeXml(parseXml(source))
    expect(written).toBe(
      '<a xmlns="urn:p" b="1&#10;2" xmlns:a1="urn:p" a1:c="&quot;" xml:lang="de"><d xmlns="urn:d"/><e>&lt;&amp;]]&gt;</e><f xmlns=""/></a>',
    )
    expect(serializeXml(parseXml(written))).toBe(written)
  })

  it('keeps the language that was declared around an element', () => {
    expect(serializeXml(parseXml('<a/>'), { language: 'de' })).toBe('<a xmlns="" xml:lang="de"/>')
    expect(serializeXml(parseXml('<a xml:lang="fr"/>'), { language: 'de' })).toBe('<a xmlns="" xml:lang="fr"/>')
  })

  it('has no entities but its own, no document type, and limits', () => {
    expect(serializeXml(parseXml('<a>&lt;&#x41;</a>'))).toBe('<a xmlns="">&lt;A</a>')
    for (const text of [
      '<!DOCTYPE a><a/>',
      '<a>&b;</a>',
      '<a>'.repeat(50) + '</a>'.repeat(50),
      `<a>${'<b/>'.repeat(6000)}</a>`,
      '<a',
      '',
      '<a>&#0;</a>',
    ])
      expect(() => parseXml(text)).toThrow('invalid-input')
  })

  it('writes what it cannot hold as U+FFFD', () => {
    expect(escapeXml('a\u0001b\ud800c\ufffe<"&>\r\u{1F600}')).toBe('a\uFFFDb\uFFFDc\uFFFD&lt;&quot;&amp;&gt;&#13;\u{1F600}')
  })
})
