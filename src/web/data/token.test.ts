import { describe, expect, it } from 'bun:test'
import { userFromToken } from './token.ts'

const PERM = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }

describe('a token', () => {
  it('names its user, in any script', () => {
    const user = userFromToken(token({ user: { id: 7, username: 'Ólafur 京', viewMode: 'mosaic', locale: 'is', perm: PERM } }))
    expect(user).toMatchObject({ id: 7, username: 'Ólafur 京', locale: 'is', viewMode: 'mosaic', perm: PERM })
  })

  it('of the predecessor, without a username, is understood', () => {
    expect(userFromToken(token({ user: { id: 1, viewMode: 'list', perm: PERM } }))).toMatchObject({ id: 1, username: '' })
  })

  it('needs three parts', () => {
    const [head, middle] = token({ user: { id: 1, viewMode: 'list', perm: PERM } }).split('.')
    for (const malformed of ['', 'null', `${head}.${middle}`, `${head}.${middle}.c.d`]) expect(userFromToken(malformed)).toBeNull()
  })

  it('with an invalid payload has no user', () => {
    for (const middle of ['', '!!!', 'e30', btoa('{"user":'), btoa('[]'), btoa('{"user":{"id":"1"},"exp":1,"iat":1}')]) {
      expect(userFromToken(`a.${middle}.c`)).toBeNull()
    }
  })
})

function token(claims: object): string {
  const middle = Buffer.from(JSON.stringify({ exp: 2, iat: 1, iss: 'Satchel', ...claims })).toString('base64url')
  return `e30.${middle}.secret`
}
