import { describe, expect, it } from 'bun:test'
import * as z from 'zod/mini'
import { Settings } from '../../shared/contract/settings.ts'
import { withRight } from './permissions.ts'
import { NONE } from './test-permissions.ts'
import { draftOf, newDraft, scopeOf, userOf, withPermissions } from './user-draft.ts'

const SETTINGS = z.parse(Settings, { defaults: { perm: { ...NONE, download: true }, scope: '/all', locale: 'de', commands: ['ls'] } })

describe('a person in the form', () => {
  it('starts with the defaults', () => {
    expect(newDraft(SETTINGS)).toMatchObject({
      username: '',
      password: '',
      scope: '/all',
      locale: 'de',
      commands: 'ls',
      rules: [],
      disabled: false,
    })
    expect(newDraft(SETTINGS).perm).toEqual({ ...NONE, download: true })
  })

  it('has a list of commands when saved, and none when the line is blank', () => {
    const draft = newDraft(SETTINGS)
    expect(userOf({ ...draft, commands: '  git   ls ' }).commands).toEqual(['git', 'ls'])
    expect(userOf({ ...draft, commands: ' ' }).commands).toEqual([])
    const { scopeKind, ...stored } = draft
    expect(scopeKind).toBe('other')
    expect(draftOf(userOf(draft))).toEqual(stored)
  })

  it('has no locked password as an administrator, and does not get the lock back after', () => {
    const locked = { ...newDraft(SETTINGS), lockPassword: true }
    const admin = withPermissions(locked, withRight(locked.perm, 'admin', true))
    expect(admin.lockPassword).toBe(false)
    const again = withPermissions(admin, withRight(admin.perm, 'admin', false))
    expect([again.lockPassword, again.perm.delete, again.perm.admin]).toEqual([false, true, false])
  })
})

describe('U2: a new account', () => {
  const open = { ...SETTINGS, defaults: { ...SETTINGS.defaults, scope: '.' } }
  const bob = (settings: Settings, part: object = {}) => ({ ...newDraft(settings), username: 'Bob', ...part })

  it('is not proposed everything that is served, but a folder of its own', () => {
    expect(newDraft(open).scopeKind).toBe('home')
    expect(scopeOf(bob(open), open)).toBe('/users/Bob')
    expect(newDraft(SETTINGS)).toMatchObject({ scopeKind: 'other', scope: '/all' })
  })

  it('has its home made by the server where everybody gets one', () => {
    const settings = { ...open, createUserDir: true }
    expect([newDraft(settings).scopeKind, scopeOf(bob(settings), settings)]).toEqual(['home', ''])
  })

  it('gets everything if that was chosen, even if the server treats its default as no choice', () => {
    for (const scope of ['.', '/', '/all', '']) {
      const settings = { ...open, createUserDir: true, defaults: { ...open.defaults, scope } }
      const sent = scopeOf(bob(settings, { scopeKind: 'whole' }), settings)
      expect(['.', '/']).toContain(sent ?? '')
      expect(sent).not.toBe(scope.trim())
    }
  })

  it('with a name that makes no folder gets none by accident', () => {
    for (const createUserDir of [false, true])
      expect(scopeOf(bob({ ...open, createUserDir }, { username: '..' }), { ...open, createUserDir })).toBeNull()
  })
})
