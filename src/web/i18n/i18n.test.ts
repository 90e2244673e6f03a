import { describe, expect, it } from 'bun:test'
import { AppError } from '../../shared/errors.ts'
import { errorText, t } from './i18n.tsx'

describe('texts', () => {
  it('take their values', () => {
    expect(t('login.title', { name: 'Satchel' })).toBe('Sign in to Satchel')
  })

  it('leave escapes in a name unchanged', () => {
    const name = 'caf\\xE9 \\u202E a\\b'
    expect(t('files.delete.title.one', { name })).toBe(`Delete “${name}”?`)
    expect(t('files.rename.title', { name })).toBe(`Rename “${name}”`)
  })

  it('use the plural rules of the language', () => {
    expect(errorText(new AppError('too-many-requests', { retryAfterSeconds: 1 }))).toContain('1 second ')
    expect(errorText(new AppError('too-many-requests', { retryAfterSeconds: 30 }))).toContain('30 seconds ')
  })

  it('have a text for unexpected errors', () => {
    expect(errorText(new TypeError('x is not a function'))).toBe('Something went wrong.')
  })
})
