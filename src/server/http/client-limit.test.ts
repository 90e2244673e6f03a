import { describe, expect, it } from 'bun:test'
import { createClientLimit } from './client-limit.ts'

describe('a turnstile', () => {
  it('counts each guest for themselves, and a way out only once', () => {
    const limit = createClientLimit(1, { retryAfterSeconds: 1 })
    const leave = limit.enter('ann')
    limit.enter('bob')
    expect(() => limit.enter('ann')).toThrow('too-many-requests')
    leave()
    leave()
    limit.enter('ann')
    expect(() => limit.enter('ann')).toThrow('too-many-requests')
  })

  it('has so many places in all where that is said, and lets the next guest in when one leaves', () => {
    const limit = createClientLimit(2, { retryAfterSeconds: 1, total: 2 })
    const leave = limit.enter('ann')
    limit.enter('bob')
    expect(() => limit.enter('cyn')).toThrow('too-many-requests')
    leave()
    limit.enter('cyn')
    expect(() => limit.enter('ann')).toThrow('too-many-requests')
  })
})
