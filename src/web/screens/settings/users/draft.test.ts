import { describe, expect, it } from 'bun:test'
import * as z from 'zod/mini'
import { Settings } from '../../../../shared/contract/settings.ts'
import { withRight } from '../../../widgets/permissions.ts'
import { NONE } from '../../../widgets/test-permissions.ts'
import { draftOf, newDraft, userOf, withPermissions } from './draft.ts'

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

  it('leaves the folder to the server where everybody gets a home', () => {
    expect(newDraft({ ...SETTINGS, createUserDir: true }).scope).toBe('')
  })

  it('has a list of commands when saved, and none when the line is blank', () => {
    const draft = newDraft(SETTINGS)
    expect(userOf({ ...draft, commands: '  git   ls ' }).commands).toEqual(['git', 'ls'])
    expect(userOf({ ...draft, commands: ' ' }).commands).toEqual([])
    expect(draftOf(userOf(draft))).toEqual(draft)
  })

  it('has no locked password as an administrator, and does not get the lock back after', () => {
    const locked = { ...newDraft(SETTINGS), lockPassword: true }
    const admin = withPermissions(locked, withRight(locked.perm, 'admin', true))
    expect(admin.lockPassword).toBe(false)
    const again = withPermissions(admin, withRight(admin.perm, 'admin', false))
    expect([again.lockPassword, again.perm.delete, again.perm.admin]).toEqual([false, true, false])
  })
})
