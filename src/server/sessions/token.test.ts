import { describe, expect, it } from 'bun:test'
import * as fc from 'fast-check'
import type { Account } from '../users/account.ts'
import { hashOf, newSecret } from '../db/secret.ts'
import { secretIn, writeToken } from './token.ts'

describe('a token', () => {
  it('has a payload like the predecessor’s for clients that decode it', () => {
    const parts = token().split('.')
    expect(parts).toHaveLength(3)
    expect(decode(parts[0])).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(decode(parts[1])).toEqual({
      user: {
        id: 7,
        locale: 'de',
        viewMode: 'list',
        singleClick: true,
        redirectAfterCopyMove: true,
        perm: MAY,
        commands: ['git'],
        lockPassword: false,
        hideDotfiles: true,
        dateFormat: false,
        username: 'Änn',
        aceEditorTheme: '',
      },
      iss: 'Satchel',
      exp: 1_795_233_056,
      iat: 1_795_225_856,
    })
  })

  it('contains no scope, rules or password', () => {
    expect(Buffer.from(token().split('.')[1] ?? '', 'base64url').toString()).not.toContain('canary')
  })

  it('contains its secret', () => {
    const secret = newSecret()
    expect(secretIn(token(secret))).toBe(secret)
  })

  it('is invalid unless it has three parts and a secret of 256 bits (T5)', () => {
    const secret = newSecret()
    const bad = ['', '.', '..', secret, `.${secret}`, `a.b.${secret}.`, `a.b.c.${secret}`, `a.b.${secret}=`, `a.b.${secret.slice(1)}`]
    const worse = [
      `a.b.${secret}a`,
      `a.b.${secret}\n`,
      `a.b.${secret.slice(0, 42)}+`,
      `a.b.${'é'.repeat(43)}`,
      'null',
      `${token()}, ${token()}`,
    ]
    for (const text of [...bad, ...worse, `a.b.${'x'.repeat(1_000_000)}`])
      expect([text.slice(0, 60), secretIn(text)]).toEqual([text.slice(0, 60), null])
  })

  it('never throws for any input', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void secretIn(text)))
  })

  it('is unique, and its hash does not reveal it', () => {
    const secrets = new Set(Array.from({ length: 1000 }, newSecret))
    expect(secrets.size).toBe(1000)
    for (const secret of secrets) expect(hashOf(secret)).toMatch(/^[0-9a-f]{64}$/)
  })
})

const MAY = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }

const ANN: Account = {
  id: 7,
  secondFactor: false,
  factorElsewhere: false,
  username: 'Änn',
  passwordHash: 'canary-hash',
  scope: './canary-scope',
  locale: 'de',
  lockPassword: false,
  viewMode: 'list',
  singleClick: true,
  redirectAfterCopyMove: true,
  hideDotfiles: true,
  dateFormat: false,
  aceEditorTheme: '',
  sorting: { by: 'name', asc: false },
  perm: MAY,
  commands: ['git'],
  rules: [{ regex: false, allow: false, path: '/canary-rule', regexp: null }],
  disabled: false,
  authEpoch: 1,
  version: 1,
  createdAt: new Date(0),
}

function token(secret = newSecret()): string {
  return writeToken(secret, { account: ANN, may: MAY, issuedAt: new Date(1_795_225_856_000), expiresAt: new Date(1_795_233_056_000) })
}

function decode(part: string | undefined) {
  return JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
}
