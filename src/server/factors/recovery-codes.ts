import { randomInt } from 'node:crypto'
import { hashOf } from '../db/secret.ts'

const CODES = 10
/** Without letters that look like digits or like each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 4

/** Ten codes of 79 random bits each, such as `k7mp-2xqa-9fhd-rw4t`: so many that a plain hash of them cannot be searched. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, newGroup).join('-'))
}

/** What is stored of a code, however it was typed. */
export function recoveryHash(typed: string): string {
  return hashOf(`recovery ${typed.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
}

function newGroup(): string {
  return Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
