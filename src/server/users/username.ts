export const MAX_USERNAME_LENGTH = 255
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Two names with the same key are one name: width, case and invisible characters do not count (invariant I9).
 * Upper case comes first because it unites what lower case alone keeps apart (ß and ss, the two sigmas).
 */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').replace(INVISIBLE, '').toUpperCase().toLowerCase().normalize('NFKC')
}

/** Why a text cannot be the name of a new account; null when it can. */
export function usernameProblem(username: string): 'empty' | 'too long' | 'white space around it' | 'invisible characters' | null {
  if (username.trim() === '') return 'empty'
  if (username.length > MAX_USERNAME_LENGTH) return 'too long'
  if (username.trim() !== username) return 'white space around it'
  return /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(username) ? 'invisible characters' : null
}
