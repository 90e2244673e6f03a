import { describe, expect, it } from 'bun:test'
import { AppError } from '../../../shared/errors.ts'
import { type Entry, loginErrors, signupErrors, validateSignup } from './form-errors.ts'

describe('a signup', () => {
  it('is not sent without a name, a password, and the same password once more', () => {
    const check = (typed: Entry) => validateSignup(typed, { minimumLength: 12 })
    const entry = { username: 'nora', password: 'a long secret', confirmation: 'a long secret' }
    expect(check(entry)).toBeNull()
    expect(check({ ...entry, username: '  ' })).toEqual({ username: 'Enter a username.' })
    expect(check({ ...entry, password: '', confirmation: '' })).toEqual({ password: 'Enter a password.' })
    expect(check({ ...entry, confirmation: 'a long' })).toEqual({ confirmation: 'Passwords don’t match' })
    expect(check({ ...entry, password: 'short', confirmation: 'short' })).toEqual({ password: 'Use at least 12 characters' })
  })

  it('that is refused says so at the field it is about', () => {
    expect(signupErrors(new AppError('name-taken', { username: 'nora' }))).toEqual({ username: 'Username already taken' })
    const refused = (issue: string) => signupErrors(new AppError('invalid-input', { issues: [issue] }))
    expect(refused('password: too-short 12')).toEqual({ password: 'Use at least 12 characters' })
    expect(refused('password: too-common')).toEqual({ password: 'This password is too common. Choose another one.' })
    expect(refused('password: too-long 4096')).toEqual({ password: 'This password is too long' })
    expect(refused('username: invisible characters')).toEqual({ username: 'This username isn’t allowed.' })
  })

  it('that is refused for another reason has the words of a sign-in', () => {
    expect(signupErrors(new AppError('unexpected', { incident: 'x' })).box?.text).toBe('Wrong credentials')
    expect(signupErrors(new AppError('method-not-allowed', { allow: [] })).box?.more).toContain('closed')
  })
})

describe('a sign-in that is refused', () => {
  it('says the specified words, and a second line for what they leave out', () => {
    expect(loginErrors(new AppError('wrong-credentials', {}))).toEqual({ box: { text: 'Wrong credentials', more: null } })
    expect(loginErrors(new AppError('offline', {})).box?.text).toContain('Can’t reach the server')
    expect(loginErrors(new AppError('too-many-requests', { retryAfterSeconds: 30 })).box?.more).toContain('30 seconds')
    expect(loginErrors(new TypeError('x')).box).toEqual({ text: 'Wrong credentials', more: null })
  })
})
