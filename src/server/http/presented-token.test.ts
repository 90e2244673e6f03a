import { describe, expect, it } from 'bun:test'
import { presentedTokenIn } from './presented-token.ts'

const SECRET = 'satchel_abc'

describe('an API token of a request', () => {
  const found = (headers: Record<string, string>, sender: 'own' | 'foreign' | 'unstated' = 'unstated') =>
    presentedTokenIn(new Request('http://x/', { headers }), { sender })
  const basic = (text: string, scheme = 'Basic') => ({ authorization: `${scheme} ${Buffer.from(text).toString('base64')}` })

  it('is in X-Auth, Bearer, or Basic', () => {
    expect(found({ 'x-auth': SECRET })).toEqual({ secret: SECRET, username: null })
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(found({ authorization: `${scheme} ${SECRET}` })).toEqual({ secret: SECRET, username: null })
    expect(found(basic(`ann:${SECRET}`))).toEqual({ secret: SECRET, username: 'ann' })
    expect(found(basic(`Åse “x”:${SECRET}`, 'bASIC'))).toEqual({ secret: SECRET, username: 'Åse “x”' })
    // As with clients that know no user name: then it must be nobody's.
    expect(found(basic(`:${SECRET}`))).toEqual({ secret: SECRET, username: '' })
  })

  it('is not what belongs to somebody else', () => {
    for (const authorization of [
      'Bearer eyJh.x.y',
      'Digest username="ann"',
      'Bearer',
      `Token ${SECRET}`,
      `Bearer a ${SECRET}`,
      `Basic ${SECRET}`,
    ])
      expect([authorization, found({ authorization })]).toEqual([authorization, null])
    expect(found(basic('ann:password'))).toBeNull()
    expect(found(basic(SECRET))).toBeNull()
    expect(found({})).toBeNull()
  })

  it('is what X-Auth says, if it says something', () => {
    expect(found({ 'x-auth': 'a.b.c', authorization: `Bearer ${SECRET}` })).toBeNull()
    expect(found({ 'x-auth': '', authorization: `Bearer ${SECRET}` })).toEqual({ secret: SECRET, username: null })
  })

  it('does not count in Basic if a page of another origin asks: its browser may have added it (A2)', () => {
    expect(found(basic(`ann:${SECRET}`), 'foreign')).toBeNull()
    expect(found(basic(`ann:${SECRET}`), 'own')).not.toBeNull()
    expect(found({ authorization: `Bearer ${SECRET}` }, 'foreign')).not.toBeNull()
  })
})
