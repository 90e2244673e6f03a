import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const TOKEN_PREFIX = 'satchel_'
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 238 random bits. */
const RANDOM_LETTERS = 40
/** 62 to the power of 6 is more than 2 to the power of 32. */
const CHECKSUM_LETTERS = 6
const TOKEN = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${RANDOM_LETTERS + CHECKSUM_LETTERS}}$`)

/**
 * A new token: the prefix, 40 random letters and digits, and the CRC-32 of those (as in zip) in base 62. Everything is in the alphabet of words, so a
 * double click selects it, and scanners for leaked secrets find it by its form and check it without asking anybody.
 */
export function newToken(): string {
  const random = randomLetters()
  return TOKEN_PREFIX + random + checksumOf(random)
}

/** Whether it has the form of a token and its checksum is right, so that it is worth looking up. */
export function isWellFormedToken(text: string): boolean {
  if (!TOKEN.test(text)) return false
  const random = text.slice(TOKEN_PREFIX.length, -CHECKSUM_LETTERS)
  return text.endsWith(checksumOf(random))
}

function checksumOf(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let at = 0; at < CHECKSUM_LETTERS; at++) {
    text = (LETTERS[rest % LETTERS.length] ?? '') + text
    rest = Math.floor(rest / LETTERS.length)
  }
  return text
}

/** Each letter with the same probability: bytes beyond the largest multiple of 62 are left out. */
function randomLetters(): string {
  let text = ''
  while (text.length < RANDOM_LETTERS) {
    for (const byte of randomBytes(RANDOM_LETTERS))
      if (byte < 4 * LETTERS.length && text.length < RANDOM_LETTERS) text += LETTERS[byte % LETTERS.length] ?? ''
  }
  return text
}
