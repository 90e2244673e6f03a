import { describe, expect, it } from 'bun:test'
import { createTurnstile } from './turnstile.ts'

describe('a turnstile', () => {
  it('counts each guest for themselves, and a way out only once', () => {
    const turnstile = createTurnstile(1, { retryAfterSeconds: 1 })
    const leave = turnstile.enter('ann')
    turnstile.enter('bob')
    expect(() => turnstile.enter('ann')).toThrow('too-many-requests')
    leave()
    leave()
    turnstile.enter('ann')
    expect(() => turnstile.enter('ann')).toThrow('too-many-requests')
  })
})
