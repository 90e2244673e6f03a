import { describe, expect, it } from 'bun:test'
import { Settings } from '../settings/settings.ts'
import { signInProblem } from './sign-in-problem.ts'

const PROXY = { authMethod: 'proxy', auth: { header: 'X-User' } }
const HOOK = { authMethod: 'hook', auth: { command: '/bin/check' } }
const captcha = (host: string) => ({ recaptcha: { host, key: 'k', secret: 's' } })

describe('the program does not start', () => {
  it('with sign-ins by a proxy while none is trusted (GHSA-xqp3-jq6g-x3qm)', () => {
    expect(problem(PROXY, [])).toContain('--trustedProxies')
    for (const trusted of ['10.0.0.0/8', 'unix']) expect(problem(PROXY, [trusted])).toBeNull()
  })

  it('with a method that lacks what it needs', () => {
    for (const header of ['', 'X User', 'X-User:', 'Ünï'])
      expect([header, problem({ ...PROXY, auth: { header } }, ['unix'])]).not.toEqual([header, null])
    for (const command of ['', '  ']) expect(problem({ ...HOOK, auth: { command } }, [])).toContain('auth.command')
    expect(problem(HOOK, [])).toBeNull()
  })

  it('with a captcha of anybody whose script we do not know (R16)', () => {
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

  it('for no other reason', () => {
    for (const authMethod of ['json', 'noauth']) expect(problem({ authMethod }, [])).toBeNull()
    expect(problem({ ...HOOK, recaptcha: { host: 'https://evil.test', key: 'k', secret: 's' } }, [])).toBeNull()
  })
})

function problem(settings: object, trustedProxies: string[]): string | null {
  return signInProblem(Settings.parse(settings), { trustedProxies })
}
