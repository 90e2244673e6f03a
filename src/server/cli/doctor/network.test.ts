import { describe, expect, it } from 'bun:test'
import { nativeFindings, softLimit } from './machine.ts'
import { seenFindings } from './network.ts'

const THROUGH = new URL('https://files.example.org/')
const GOOD = {
  address: '192.0.2.7',
  secure: true,
  trusted: true,
  host: 'files.example.org',
  forwarded: { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' },
}

describe('a request through a proxy', () => {
  it('is fine if all headers are forwarded', () => {
    expect(seenFindings(GOOD, THROUGH).map(({ standing }) => standing)).toEqual(['fine', 'fine', 'fine'])
  })

  it('names the missing header and the configuration line for it', () => {
    const problems = (seen: Partial<typeof GOOD>): string[] =>
      seenFindings({ ...GOOD, ...seen }, THROUGH).flatMap(({ standing, todo }) => (standing === 'problem' ? [todo] : []))
    expect(problems({ trusted: false, secure: false, address: '172.18.0.2' })).toEqual(['add --trustedProxies 172.18.0.2'])
    expect(problems({ forwarded: { 'x-forwarded-for': '', 'x-forwarded-proto': 'https' }, secure: false })[0]).toContain(
      'X-Forwarded-Proto',
    )
    expect(problems({ host: '127.0.0.1:8080' })).toEqual([])
    const plain = { ...GOOD, secure: false, host: '127.0.0.1:8080' }
    const [, , host] = seenFindings(plain, new URL('http://files.example.org/'))
    expect(host).toMatchObject({ standing: 'problem', todo: expect.stringContaining('Host $http_host') })
  })
})

describe('the limits of a process', () => {
  it('are parsed from /proc', () => {
    const text =
      'Limit                     Soft Limit           Hard Limit           Units\nMax open files            1024                 524288               files\n'
    expect(softLimit(text, 'Max open files')).toBe(1024)
    expect(softLimit(text.replace('1024', 'unlimited'), 'Max open files')).toBe(Number.POSITIVE_INFINITY)
    expect(softLimit('', 'Max open files')).toBeNull()
  })
})

describe('packages with native code', () => {
  it('are all found', async () => {
    expect((await nativeFindings()).map(({ standing }) => standing)).toEqual(['fine'])
  })

  it('name the library that is missing, wherever the package hides it', async () => {
    const missing = new Error('libgcc_s.so.1: cannot open shared object file: No such file or directory')
    const hidden = new Error('npm has a bug', { cause: new Error('no module', { cause: missing }) })
    const findings = await nativeFindings([{ load: () => Promise.reject(hidden), what: 'no archives' }])
    expect(findings).toMatchObject([{ standing: 'problem', text: `no archives: ${missing.message}` }])
  })
})
