/** The bcrypt hash of a password, as `--password` and the predecessor take it. Null where bcrypt would look at a part of it only. */
export async function hashPassword(password: string): Promise<string | null> {
  const text = password.replace(/\r?\n$/, '')
  if (text === '' || Buffer.byteLength(text) > 72) return null
  return Bun.password.hash(text, { algorithm: 'bcrypt', cost: 10 })
}
