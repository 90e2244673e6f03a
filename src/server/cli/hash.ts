/** The bcrypt hash of a password, as `--password` and the predecessor accept it. Null if bcrypt would ignore a part of it. */
export async function hashPassword(password: string): Promise<string | null> {
  const text = password.replace(/\r?\n$/, '')
  if (text === '' || Buffer.byteLength(text) > 72) return null
  return Bun.password.hash(text, { algorithm: 'bcrypt', cost: 10 })
}
