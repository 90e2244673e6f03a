import { describe, expect, it } from 'bun:test'
import { isWellFormedToken, newToken } from './token-format.ts'

describe('an API token', () => {
  it('is its prefix, forty random letters and digits, and a checksum', () => {
    const tokens = Array.from({ length: 1000 }, newToken)
    expect(new Set(tokens).size).toBe(1000)
    for (const token of tokens) {
      expect(token).toMatch(/^satchel_[0-9A-Za-z]{46}$/)
      expect(isWellFormedToken(token)).toBe(true)
    }
    // Each of the 62 comes up some 645 times in 40,000.
    const counts = new Map<string, number>()
    for (const letter of tokens.map((token) => token.slice(8, 48)).join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    expect(counts.size).toBe(62)
    for (const count of counts.values()) expect(Math.abs(count - 645)).toBeLessThan(200)
  })

  it('has the checksum that the documentation describes: CRC-32 in base 62', () => {
    const random = '0123456789012345678901234567890123456789'
    expect(isWellFormedToken(`satchel_${random}${checksumByTheBook(random)}`)).toBe(true)
  })

  it('is recognised as mistyped whichever letter is wrong, missing, or swapped with its neighbour', () => {
    const token = newToken()
    for (let at = 'satchel_'.length; at < token.length; at++) {
      const wrong = token[at] === 'x' ? 'y' : 'x'
      expect(isWellFormedToken(token.slice(0, at) + wrong + token.slice(at + 1))).toBe(false)
      expect(isWellFormedToken(token.slice(0, at) + token.slice(at + 1))).toBe(false)
      const [one = '', two = ''] = [token[at], token[at + 1]]
      if (two !== '' && one !== two) expect(isWellFormedToken(token.slice(0, at) + two + one + token.slice(at + 2))).toBe(false)
    }
    for (const other of ['', 'satchel_', ` ${token}`, `${token}\n`, token.toUpperCase(), `${token}0`])
      expect(isWellFormedToken(other)).toBe(false)
  })
})

/** Bit by bit, as in the annex of ISO/IEC 3309. */
function checksumByTheBook(text: string): string {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let rest = BigInt((crc ^ 0xffffffff) >>> 0)
  let written = ''
  for (let n = 0; n < 6; n++) {
    written = `${letters[Number(rest % 62n)]}${written}`
    rest /= 62n
  }
  return written
}
