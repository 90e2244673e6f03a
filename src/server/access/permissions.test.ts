import { describe, expect, it } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { type Access, canSee, inScope, inStorage } from './access.ts'
import { ALL_RIGHTS, NO_RIGHTS, parsePermissions, rightsOf } from './permissions.ts'
import { compileRules } from './rules.ts'

describe('permissions', () => {
  it('an administrator may do everything', () => {
    expect(rightsOf({ ...NO_RIGHTS, admin: true })).toEqual(ALL_RIGHTS)
  })

  it('other users have the permissions that they were given', () => {
    const given = { ...NO_RIGHTS, create: true, execute: true }
    expect(rightsOf(given)).toEqual(given)
    expect(rightsOf(NO_RIGHTS)).toEqual(NO_RIGHTS)
  })

  it('unknown permissions are dropped, missing ones are not granted', () => {
    expect(parsePermissions({ create: true, publish: true, __proto__: { admin: true } })).toEqual({ ...NO_RIGHTS, create: true })
    expect(parsePermissions({})).toEqual(NO_RIGHTS)
  })

  it('a permission that is not a boolean is refused', () => {
    for (const input of [null, 'all', [], { admin: 'true' }, { admin: 1 }]) expect(() => parsePermissions(input)).toThrow('invalid-input')
  })
})

describe('access', () => {
  const access: Access = {
    scope: at('/home/ann'),
    start: at('/docs'),
    may: NO_RIGHTS,
    rules: compileRules([], [{ regex: false, allow: false, path: '/docs/secret', regexp: null }], { hideDotfiles: false }),
    hideDotfiles: false,
  }

  it('converts a visitor’s path into the paths for rules and storage', () => {
    expect(inScope(access, at('/a'))).toBe(at('/docs/a'))
    expect(inScope(access, ROOT)).toBe(at('/docs'))
    expect(inStorage(access, at('/a'))).toBe(at('/home/ann/docs/a'))
    expect(inStorage(access, ROOT)).toBe(at('/home/ann/docs'))
  })

  it('applies the owner’s rules, so that a share hides what the owner cannot see (GHSA-j9jx-hp4c-ghhh)', () => {
    expect(canSee(access, at('/secret'))).toBe(false)
    expect(canSee(access, at('/secret/deep'))).toBe(false)
    expect(canSee(access, at('/docs/secret'))).toBe(true)
  })
})
