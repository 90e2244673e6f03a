import { describe, expect, it } from 'bun:test'
import { feedbackOf } from './new-password.ts'

const about = (password: string, confirmation: string, { isTried = false, refused = null as string | null } = {}) =>
  feedbackOf({ password, confirmation }, { minimumLength: 12, isTried, refused })

const LONG = 'correct horse battery'

describe('the feedback about a new password', () => {
  it('begins with the rule, and without it if there is none', () => {
    expect(about('', '')).toEqual({ hint: 'At least 12 characters', passwordError: null, confirmationError: null, isGood: false })
    expect(feedbackOf({ password: '', confirmation: '' }, { minimumLength: 0, isTried: false, refused: null }).hint).toBeUndefined()
  })

  it('is good only if both are the same, and long enough in bytes', () => {
    expect(about(LONG, LONG).isGood).toBe(true)
    expect(about(LONG, `${LONG} `).isGood).toBe(false)
    expect(about('too short', 'too short')).toMatchObject({
      isGood: false,
      passwordError: 'Use at least 12 characters',
      confirmationError: null,
    })
    // Six letters of two bytes each.
    expect(about('пароль', 'пароль').isGood).toBe(true)
  })

  it('says nothing about what could yet become right, until it is submitted', () => {
    expect(about('c', '')).toMatchObject({ passwordError: null, confirmationError: null })
    expect(about(LONG, 'corr')).toMatchObject({ passwordError: null, confirmationError: null })
    expect(about(LONG, 'corx').confirmationError).toBe('Passwords don’t match')
    expect(about(LONG, 'corr', { isTried: true }).confirmationError).toBe('Passwords don’t match')
    expect(about('c', '', { isTried: true })).toMatchObject({ passwordError: 'Use at least 12 characters' })
    expect(about('', '', { isTried: true })).toMatchObject({ passwordError: 'Enter a password.', confirmationError: null })
  })

  it('is not good if the server refused the password', () => {
    expect(about(LONG, LONG, { refused: 'Too common' })).toMatchObject({ passwordError: 'Too common', isGood: false })
  })
})
