import { expect, it } from 'bun:test'
import { createNameGuard } from './name-guard.ts'

it('logs a refused host name and the setting for it once an hour, on one line', () => {
  const lines: string[] = []
  let now = 0
  const guard = createNameGuard((line) => lines.push(line), { clock: () => now })
  const refused = (origin: string, trusted = false): boolean => {
    try {
      guard({ headers: new Headers({ origin }), trusted })
      return false
    } catch {
      return true
    }
  }
  expect(refused('https://files.example.org:8443')).toBe(true)
  expect(refused('https://other.example.org')).toBe(true)
  expect(lines).toEqual([expect.stringMatching(/files\.example\.org, .*--trustedProxies$/)])
  now = 60 * 60_000
  expect(refused('null')).toBe(true)
  expect(lines).toHaveLength(2)
  expect([refused('https://files.example.org', true), refused('http://nas.local'), lines.length]).toEqual([false, false, 2])
})
