import { expect, it } from 'bun:test'
import { issueAt, issuesElsewhere } from './issues.ts'

const ISSUES = [
  'data.scope: there can be no such folder',
  'username: too long',
  'data.rules.3: regexp: empty',
  'permission to share requires more',
]

it('puts what the server refused to its field', () => {
  expect(issueAt(ISSUES, 'scope')).toBe('This is not a valid folder path.')
  expect(issueAt(ISSUES, 'username')).toBe('This is too long.')
  expect(issueAt(ISSUES, 'rules')).toBe('Not accepted: regexp: empty')
  expect(issueAt(ISSUES, 'perm')).toBeNull()
})

it('keeps the rest for the form as a whole', () => {
  expect(issuesElsewhere(ISSUES, ['scope', 'username', 'rules'])).toEqual(['permission to share requires more'])
})
