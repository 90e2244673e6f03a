import { describe, expect, it } from 'bun:test'
import { isIfHeld, parseIf, type ResourceState, submittedTokens } from './if-header.ts'

const stateOf = (states: Record<string, ResourceState>) => async (resource: string | null) =>
  states[resource ?? ''] ?? { etag: null, tokens: new Set<string>() }

describe('the header If (RFC 4918, section 10.4)', () => {
  it('has lists about the request, or about the resources that they name', () => {
    expect(parseIf('(<urn:a> ["x"]) (Not <urn:b>)')).toEqual([
      {
        resource: null,
        conditions: [
          { not: false, token: 'urn:a' },
          { not: false, etag: '"x"' },
        ],
      },
      { resource: null, conditions: [{ not: true, token: 'urn:b' }] },
    ])
    expect(parseIf('<http://h/a> (<urn:a>) (<urn:b>) </c> (not [W/"x"])').map(({ resource }) => resource)).toEqual([
      'http://h/a',
      'http://h/a',
      '/c',
    ])
    expect(parseIf(null)).toEqual([])
  })

  it('submits every token, also of a list that does not hold', () => {
    expect(submittedTokens(parseIf('(<urn:a>) (Not <DAV:no-lock>)'))).toEqual(['urn:a', 'DAV:no-lock'])
  })

  it('holds if one list does, of which each condition must', async () => {
    const states = stateOf({ '': { etag: '"x"', tokens: new Set(['urn:a']) }, '/c': { etag: null, tokens: new Set() } })
    const holds = async (header: string) => isIfHeld(parseIf(header), states)
    expect(await holds('(<urn:a> ["x"])')).toBe(true)
    expect(await holds('(<urn:a> ["y"])')).toBe(false)
    expect(await holds('(<urn:b>) (Not <DAV:no-lock>)')).toBe(true)
    expect(await holds('(Not ["x"]) (<urn:b>)')).toBe(false)
    // A weak tag is another one (RFC 9110, section 8.8.3.2).
    expect(await holds('([W/"x"])')).toBe(false)
    expect(await holds('</c> (Not <urn:a>)')).toBe(true)
    expect(await holds('</c> (["x"])')).toBe(false)
  })

  it('is refused if it is malformed', () => {
    for (const header of ['', '()', '(', '<a>', '(a)', '(Not)', '(<a>) <b> (<c>)', `(${'<a>'.repeat(101)})`])
      expect(() => parseIf(header)).toThrow('invalid-input')
  })
})
