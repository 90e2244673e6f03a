import { describe, expect, it } from 'bun:test'
import { newTotpSecret, stepOf, totpCode, totpUri } from './totp.ts'

/** The key of RFC 6238, appendix B: `12345678901234567890` in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('codes of authenticator apps', () => {
  it('are those of RFC 6238, appendix B, of which we show the last six digits', () => {
    const at = (seconds: number): string => totpCode(SECRET, seconds * 1000)
    expect([59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000].map(at)).toEqual([
      '287082',
      '081804',
      '050471',
      '005924',
      '279037',
      '353130',
    ])
  })

  it('count one step early or late, and no more', () => {
    const now = 1_234_567_890_000
    const step = Math.floor(now / 30_000)
    const offsets = [-2, -1, 0, 1, 2]
    expect(offsets.map((by) => stepOf(totpCode(SECRET, now + by * 30_000), SECRET, now))).toEqual([null, step - 1, step, step + 1, null])
  })

  it('may be typed with spaces, and are nothing else', () => {
    const now = 59_000
    expect(stepOf('287 082', SECRET, now)).toBe(1)
    for (const wrong of ['', '28708', '2870820', '287083', 'abcdef', '２８７０８２']) expect(stepOf(wrong, SECRET, now)).toBeNull()
  })
})

it('a key has 160 random bits, and its address names the site and the account', () => {
  const secret = newTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(secret)
  expect(totpUri(SECRET, { issuer: 'My files', account: 'ann@b' })).toBe(
    `otpauth://totp/My%20files:ann%40b?secret=${SECRET}&issuer=My%20files`,
  )
})
