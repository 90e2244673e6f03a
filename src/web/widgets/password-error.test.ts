import { expect, it } from 'bun:test'
import { AppError } from '../../shared/errors.ts'
import { passwordError } from './password-error.ts'

const refused = (...issues: string[]) => passwordError(new AppError('invalid-input', { issues }))

it('says what a refused password lacks', () => {
  expect(refused('data.password: too-short 12')).toBe('Use at least 12 characters')
  expect(refused('data.password: too-common')).toBe('This password is too common. Choose another one.')
  expect(refused('password: too-long 1024')).toBe('This password is too long')
  expect(refused('data.password: something new')).toBe('This password can’t be used. Choose another one.')
})

it('is silent about failures that are not about the password', () => {
  expect(refused('data.scope: there can be no such folder')).toBeNull()
  expect(passwordError(new AppError('offline', {}))).toBeNull()
})
