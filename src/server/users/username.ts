export const MAX_USERNAME_LENGTH = 255
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Names with the same key are the same name: width, case and invisible characters are ignored (invariant I9). Upper-casing first unifies what
 * lower-casing alone keeps apart (ß and ss, the two sigmas).
 */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').replace(INVISIBLE, '').toUpperCase().toLowerCase().normalize('NFKC')
}

/** Why a text cannot be the name of a new account; null if it can. */
export function usernameProblem(username: string): 'empty' | 'too long' | 'white space around it' | 'invisible characters' | null {
  if (username.trim() === '') return 'empty'
  if (username.length > MAX_USERNAME_LENGTH) return 'too long'
  if (username.trim() !== username) return 'white space around it'
  return /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(username) ? 'invisible characters' : null
}
