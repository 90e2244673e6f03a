import { describe, expect, it } from 'bun:test'
import { FilterParser } from 'ldapts'
import { canonicalDn, dnValue, filterValue, loginProblem } from './ldap-text.ts'

const HOSTILE = [
  '*',
  'ada)(uid=*',
  'x)(|(cn=*',
  '\\2a',
  'a\0b',
  '(',
  ')',
  '\\',
  'é🎉',
  '*)(objectClass=*',
  'a:=b',
  ' ',
  '#x',
  'a,b+c=d"<e>;',
  ' x ',
]

describe('a value in a filter', () => {
  it('stays a value, whatever it is (RFC 4515)', () => {
    for (const value of HOSTILE) {
      const filter = FilterParser.parseString(`(&(objectClass=person)(uid=${filterValue(value)}))`)
      expect(JSON.stringify(filter)).toBe(
        JSON.stringify(FilterParser.parseString('(&(objectClass=person)(uid=xx))')).replace('"xx"', JSON.stringify(value)),
      )
    }
  })

  it('means something else without', () => {
    const as = (value: string) => JSON.stringify(FilterParser.parseString(`(&(objectClass=person)(uid=${value}))`))
    expect(as('*')).not.toContain('"*"')
    expect(as('ada)(mail=*')).toContain('"mail"')
  })
})

describe('a value in a distinguished name', () => {
  it('stays a value, whatever it is (RFC 4514)', () => {
    for (const value of HOSTILE) {
      const dn = canonicalDn(`uid=${dnValue(value)},ou=people,dc=example`)
      expect(dn).toEndWith(',ou=people,dc=example')
      expect(dn?.replaceAll(/\\./g, '').split(',')).toHaveLength(3)
    }
  })
})

describe('spellings of one distinguished name', () => {
  it('are equal', () => {
    const same = ['CN=Ann Lee,OU=People,DC=example', 'cn = ann  lee , ou=people,dc=example', 'cn=ann\\20lee,ou=people;dc=EXAMPLE']
    expect(new Set(same.map(canonicalDn))).toEqual(new Set(['cn=ann lee,ou=people,dc=example']))
    expect(canonicalDn('cn=a+ou=b,dc=c')).toBe(canonicalDn('ou=B+cn=A,dc=c'))
    expect(canonicalDn('cn=Stra\\c3\\9fe\\2c 1,dc=c')).toBe(canonicalDn('CN=Straße\\, 1,DC=c'))
    expect(canonicalDn('1.2.3=x')).toBe('1.2.3=x')
  })

  it('of two entries are not', () => {
    expect(canonicalDn('cn=a\\,dc=x,dc=c')).not.toBe(canonicalDn('cn=a,dc=x,dc=c'))
    expect(canonicalDn('cn=admins,ou=a,dc=c')).not.toBe(canonicalDn('cn=admins,ou=b,dc=c'))
    expect(canonicalDn('cn=a\\ ,dc=c')).not.toBe(canonicalDn('cn=a,dc=c'))
  })

  it('are refused where they are none', () => {
    for (const text of ['', 'x', '=x', 'cn=', 'cn=a,', 'cn=a,,dc=c', 'cn="a",dc=c', 'cn=a\\', 'cn=<a>', 'c n=a'])
      expect(canonicalDn(text)).toBeNull()
  })
})

it('a name to sign in with has one spelling', () => {
  for (const login of ['ada', 'ada.lee@example.org', 'EXAMPLE\\ada', 'Ann Lee', '*', 'ada)(uid=*']) expect(loginProblem(login)).toBeNull()
  for (const login of ['', ' ', ' ada', 'ada ', 'a  b', 'a\0b', 'a\u00ADda', 'a\u200Bda', 'a\nb', '\u2028'])
    expect(loginProblem(login)).not.toBeNull()
})
