import { describe, expect, it } from 'bun:test'
import { createClientLimit } from './client-limit.ts'

describe('a turnstile', () => {
  it('counts each guest for themselves, and a way out only once', () => {
    const turnstile = createClientLimit(1, { retryAfterSeconds: 1 })
    const leave = turnstile.enter('ann')
    turnstile.enter('bob')
    expect(() => turnstile.enter('ann')).toThrow('too-many-requests')
    leave()
    leave()
    turnstile.enter('ann')
    expect(() => turnstile.enter('ann')).toThrow('too-many-requests')
  })

  it('has so many places in all where that is said, and lets the next guest in when one leaves', () => {
    const turnstile = createClientLimit(2, { retryAfterSeconds: 1, total: 2 })
    const leave = turnstile.enter('ann')
    turnstile.enter('bob')
    expect(() => turnstile.enter('cyn')).toThrow('too-many-requests')
    leave()
    turnstile.enter('cyn')
    expect(() => turnstile.enter('ann')).toThrow('too-many-requests')
  })
})
