import { afterEach, beforeEach, describe, expect, it, jest } from 'bun:test'
import { listenForSilence } from './silence.mjs'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

describe('a step of npm test', () => {
  it('goes on for as long as it says something', () => {
    let isSilent = false
    const silence = listenForSilence(1000, () => (isSilent = true))
    for (let i = 0; i < 100; i++) {
      jest.advanceTimersByTime(999)
      silence.heard()
    }
    expect(isSilent).toBe(false)
    silence.stop()
  })

  it('hangs when it has said nothing for so long', () => {
    let times = 0
    const silence = listenForSilence(1000, () => times++)
    silence.heard()
    jest.advanceTimersByTime(1000)
    expect(times).toBe(1)
    silence.stop()
  })
})
