import { expect, it } from 'bun:test'
import { DirectoryFields } from '../../../../shared/contract/directories.ts'
import { formFrom, inputFrom, KINDS, withKind } from './directory-form.ts'

const STORED = {
  ...DirectoryFields.parse({
    name: 'Corp',
    urls: ['ldaps://one.example', 'ldaps://two.example'],
    baseDn: 'dc=example',
    allow: ['cn=a,dc=example', 'cn=b,dc=example'],
    groups: [{ group: 3, values: ['cn=staff,dc=example'] }],
  }),
  id: 'corp',
  hasPassword: true,
  lastCheck: null,
}

it('a directory comes out of its form as it went in', () => {
  const { id: _id, hasPassword: _has, lastCheck: _last, ...fields } = STORED
  expect(inputFrom(formFrom(STORED))).toEqual(fields)
})

it('lists are lines, a password is sent only if one was typed, and minutes are within their limits', () => {
  const form = {
    ...formFrom(null),
    name: ' Corp ',
    urls: ' ldaps://one.example \n\n',
    members: { '3': '\n cn=x,dc=y \n', '4': ' ' },
    checkMinutes: '9999',
  }
  expect(inputFrom(form)).toMatchObject({
    name: 'Corp',
    urls: ['ldaps://one.example'],
    groups: [{ group: 3, values: ['cn=x,dc=y'] }],
    checkMinutes: 1440,
  })
  expect(inputFrom(form)).not.toHaveProperty('bindPassword')
  expect(inputFrom({ ...form, bindPassword: 'x', checkMinutes: '' })).toMatchObject({ bindPassword: 'x', checkMinutes: 0 })
})

it('every kind of directory has what it needs', () => {
  for (const kind of KINDS) expect(withKind(formFrom(null), kind).userFilter).toContain('{login}')
})
