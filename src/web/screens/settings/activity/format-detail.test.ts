import { describe, expect, it, spyOn } from 'bun:test'
import { detailsOf, rulesText } from '../../../../shared/audit-details.ts'
import type { AuditDetail } from '../../../../shared/contract/audit.ts'
import { setLanguage } from '../../../i18n/i18n.tsx'
import { ENGLISH, pickLanguage } from '../../../../shared/languages.ts'
import { formatDetail, isKnown, humanize } from './format-detail.ts'

describe('a detail of the trail', () => {
  it('says in words what became of a person', () => {
    expect(told(...detailsOf({ perm: 'create', disabled: false }, { perm: 'create download', disabled: true }))).toEqual([
      'Permissions: Create files and folders → Create files and folders, Download',
      'Account enabled: Yes → No',
    ])
    const hidden = [
      { allow: false, regex: false, path: '/private', regexp: null },
      { allow: true, regex: true, path: '', regexp: { raw: '\\.txt$' } },
    ]
    expect(told(...detailsOf({ rules: rulesText([]) }, { rules: rulesText(hidden) }))).toEqual([
      'Rules: – → Deny: /private; Allow: Pattern \\.txt$',
    ])
    expect(told({ place: 'password', before: null, after: null })).toEqual(['Password'])
  })

  it('says in words what became of the settings, the hooks and the webhooks', () => {
    const before = { signup: false, branding: { name: '', theme: '' }, defaults: { perm: { share: true } }, shell: ['sh', '-c'] }
    const after = { signup: true, branding: { name: 'Barn', theme: 'dark' }, defaults: { perm: { share: false } }, shell: [] }
    expect(told(...detailsOf(before, after))).toEqual([
      'Allow sign-up: No → Yes',
      'Site name: – → Barn',
      'Theme: Light → Dark',
      'User defaults: Share files: Yes → No',
      'Shell: sh -c → –',
    ])
    expect(told({ place: 'commands.after_upload', before: '0', after: '2' })).toEqual(['After upload: 0 commands → 2 commands'])
    expect(told({ place: 'webhook', before: 'off to a.example', after: 'after_copy after_save to a.example' })).toEqual([
      'Events: Off → After copy, After save',
    ])
  })

  it('says in words what a link allows, and until when', () => {
    const drop = { maxFile: 1024 ** 2, maxFiles: 0, types: ['jpg', 'pdf'] }
    const [ends, locked, rights, terms] = told(
      ...detailsOf({}, { expire: '2027-03-01T10:00:00.000Z', protected: true, rights: 'drop', drop }),
    )
    expect(ends).toMatch(/^Ends: .*2027/)
    expect([locked, rights]).toEqual(['Password: Yes', 'Visitors can: Upload only (file request)'])
    expect(terms).toBe('More options: Largest file: 1 MB; Allowed file types: jpg pdf')
    expect(told(...detailsOf({ drop: {} }, { drop }))).toEqual([
      'Largest file: 1 MB',
      'Maximum number of files: 0',
      'Allowed file types: jpg pdf',
    ])
    expect(told({ place: 'expire', before: 'permanent', after: '999999999999 s' })[0]).toMatch(/^Ends: Permanent → in .* years$/)
  })

  it('says how many were removed, of whom, and of when', () => {
    expect(told(...detailsOf({}, { count: 12_000, all: true, deletedBy: 'ann' }))).toEqual([
      'Items: 12,000',
      'Everyone’s: Yes',
      'Deleted by: ann',
    ])
    expect(told({ place: 'modified', before: null, after: '2026-11-02T10:00:00.000Z' })[0]).toMatch(/^Modified: .*2026/)
  })

  it('says a time without marks of direction, which would be shown escaped', async () => {
    const warned = spyOn(console, 'warn').mockImplementation(() => undefined)
    Object.defineProperty(globalThis, 'document', { value: { documentElement: {} }, configurable: true })
    await setLanguage(pickLanguage('ar', []))
    const [ends = ''] = told({ place: 'expire', before: null, after: '2027-03-01T10:00:00.000Z' })
    await setLanguage(ENGLISH)
    Reflect.deleteProperty(globalThis, 'document')
    warned.mockRestore()
    expect(ends).toMatch(/2027/)
    expect(ends).not.toMatch(/[\u200e\u200f\u061c]/)
  })

  it('use-11: says in words what became of factors, roles, quotas and providers', () => {
    expect(told({ place: 'totp', before: null, after: 'on' }, { place: 'everything', before: null, after: null })).toEqual([
      'Authenticator app: Set up',
      'All second factors removed',
    ])
    expect(told(...detailsOf({}, { second: 'recovery', method: 'oidc company' }))).toEqual([
      'Second step: Recovery codes',
      'Method: Provider company',
    ])
    expect(told(...detailsOf({ bytes: 1024 ** 2 }, { bytes: 2 * 1024 ** 2, files: 10 }))).toEqual([
      'Quota: 1 MB → 2 MB',
      'Maximum number of files and folders: 10',
    ])
    expect(told(...detailsOf({ rights: 'viewer' }, { rights: 'editor', role: 'contributor', member: 'ann' }))).toEqual([
      'Role: Viewer → Editor',
      'Role: Contributor',
      'Members: ann',
    ])
    const allow = JSON.stringify({ claim: 'groups', values: ['staff', 'guests'] })
    expect(told({ place: 'allow', before: null, after: allow }, { place: 'clientSecret', before: null, after: null })).toEqual([
      'Who may sign in: groups: staff, guests',
      'Client secret',
    ])
    expect(told({ place: 'provider', before: null, after: 'name-taken' })[0]).toMatch(/^Provider: There is already an account/)
    expect(told({ place: 'expires', before: null, after: '2027-03-01T10:00:00.000Z' })[0]).toMatch(/^Token expires: Mar 1, 2027/)
  })

  it('stays as recorded if it is unknown', () => {
    expect(told({ place: 'moon.phase', before: 'full', after: null })).toEqual(['(moon.phase): full → –'])
    expect(told({ place: 'rights', before: null, after: 'fly' })).toEqual(['Visitors can: fly'])
    expect([isKnown('user-moved'), humanize('user-moved')]).toEqual([false, 'user moved'])
  })
})

/** As it stands in a line; without a word the name that it has in the trail, in brackets. */
function told(...details: AuditDetail[]): string[] {
  return details.map((detail) => {
    const { label, before, after } = formatDetail(detail)
    const name = label ?? `(${detail.place})`
    if (before === null && after === null) return name
    return before === null ? `${name}: ${after || '–'}` : `${name}: ${before || '–'} → ${after || '–'}`
  })
}
