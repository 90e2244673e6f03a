import { describe, expect, it } from 'bun:test'
import { agentFrom } from './user-agent.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('a User-Agent header', () => {
  it.each([
    ['Chrome', 'Windows', 'computer', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`],
    ['Chrome', 'Linux', 'computer', `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/141.0.0.0 Safari/537.36`],
    ['Chrome', 'ChromeOS', 'computer', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`],
    ['Edge', 'Windows', 'computer', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`],
    [
      'Opera',
      'macOS',
      'computer',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 OPR/120.0.0.0`,
    ],
    [
      'Samsung Internet',
      'Android',
      'mobile',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    ],
    ['Firefox', 'Linux', 'computer', 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'],
    ['Firefox', 'Android', 'mobile', 'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0'],
    [
      'Safari',
      'macOS',
      'computer',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    ],
    [
      'Safari',
      'iOS',
      'mobile',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    ],
    [
      'Chrome',
      'iOS',
      'mobile',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
    ],
    [
      'Firefox',
      'iPadOS',
      'mobile',
      'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/143.0 Mobile/15E148 Safari/605.1.15',
    ],
    ['Opera', 'Windows', 'computer', 'Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18'],
  ] as const)('is read as %s on %s', (name, system, kind, header) => {
    expect(agentFrom(header)).toEqual({ name, system, kind })
  })
})

it('names a program by its first product', () => {
  expect(agentFrom('curl/8.5.0')).toEqual({ name: 'curl', system: null, kind: 'program' })
  expect(agentFrom('rclone/v1.71 (linux)')).toEqual({ name: 'rclone', system: null, kind: 'program' })
})

it('shows no more of an odd header than a short name', () => {
  expect(agentFrom('')).toEqual({ name: null, system: null, kind: 'unknown' })
  expect(agentFrom('<b>curl</b>')).toEqual({ name: null, system: null, kind: 'unknown' })
  expect(agentFrom('x'.repeat(255)).name).toHaveLength(40)
  expect(agentFrom('Mozilla/5.0 (compatible)')).toEqual({ name: null, system: null, kind: 'unknown' })
})
