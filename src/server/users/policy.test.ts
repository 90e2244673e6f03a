import { describe, expect, it } from 'bun:test'
import { passwordIssue } from './policy.ts'

describe('a new password', () => {
  it('has the configured minimum length in bytes, as in the predecessor', async () => {
    expect(await issue('elevenchars')).toBe('too-short 12')
    expect(await issue('twelve chars')).toBeNull()
    expect(await issue('пароль')).toBeNull()
    expect(await issue('abcd', 4)).toBeNull()
    expect(await issue('', 0)).toBe('empty')
  })

  it('has up to 1024 characters, and is not truncated at 72 bytes', async () => {
    expect([await issue('x'.repeat(1024)), await issue('x'.repeat(1025))]).toEqual([null, 'too-long 1024'])
  })

  it('is not a common one, in any case', async () => {
    for (const password of ['qwerty123456', 'QWERTY123456', '1qaz2wsx3edc'])
      expect([password, await issue(password)]).toEqual([password, 'too-common'])
    for (const password of ['password', 'Iloveyou', '12345678'])
      expect([password, await issue(password, 8)]).toEqual([password, 'too-common'])
    expect(await issue('correct horse battery')).toBeNull()
  })
})

function issue(password: string, minimumPasswordLength = 12): Promise<string | null> {
  return passwordIssue(password, { minimumPasswordLength })
}
