import { describe, expect, it } from 'bun:test'
import { Settings } from '../settings/settings.ts'
import { signInProblem } from './sign-in-problem.ts'

const PROXY = { authMethod: 'proxy', auth: { header: 'X-User' } }
const HOOK = { authMethod: 'hook', auth: { command: '/bin/check' } }
const captcha = (host: string) => ({ recaptcha: { host, key: 'k', secret: 's' } })

describe('the server does not start', () => {
  it('with proxy sign-in while no proxy is trusted (GHSA-xqp3-jq6g-x3qm)', () => {
    expect(problem(PROXY, [])).toContain('--trustedProxies')
    for (const trusted of ['10.0.0.0/8', 'unix']) expect(problem(PROXY, [trusted])).toBeNull()
  })

  it('with a sign-in method whose settings are missing', () => {
    for (const header of ['', 'X User', 'X-User:', 'Ünï'])
      expect([header, problem({ ...PROXY, auth: { header } }, ['unix'])]).not.toEqual([header, null])
    for (const command of ['', '  ']) expect(problem({ ...HOOK, auth: { command } }, [])).toContain('auth.command')
    expect(problem(HOOK, [])).toBeNull()
  })

  it('with an unknown captcha provider (R16)', () => {
    for (const host of [
      'https://www.google.com.evil.test',
      'http://www.google.com',
      'https://evil.test/https://www.google.com',
      'javascript:1',
    ])
      expect([host, problem(captcha(host), [])]).not.toEqual([host, null])
    for (const host of ['', 'https://www.google.com', 'https://www.google.com/', 'https://www.recaptcha.net'])
      expect([host, problem(captcha(host), [])]).toEqual([host, null])
  })

  it('in no other case', () => {
    for (const authMethod of ['json', 'noauth']) expect(problem({ authMethod }, [])).toBeNull()
    expect(problem({ ...HOOK, recaptcha: { host: 'https://evil.test', key: 'k', secret: 's' } }, [])).toBeNull()
  })
})

function problem(settings: object, trustedProxies: string[]): string | null {
  return signInProblem(Settings.parse(settings), { trustedProxies })
}
