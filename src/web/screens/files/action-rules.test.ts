import { describe, expect, it } from 'bun:test'
import type { Permissions } from '../../../shared/contract/users.ts'
import { permissionsWith } from '../../data/rights.ts'
import { NONE } from '../../widgets/test-permissions.ts'
import { ACTIONS } from './actions.ts'
import { type ActionName, isAvailable, type ActionContext } from './action-rules.ts'
import { shortcutFor } from './shortcuts.ts'

describe('an action is offered', () => {
  it('with its right and its number of entries', () => {
    const available = (name: ActionName, perm: Partial<Permissions>, selected: number) =>
      isAvailable(name, at({ perm: { ...NONE, ...perm }, selected }))
    expect([0, 1, 2].map((count) => available('rename', { rename: true }, count))).toEqual([false, true, false])
    expect([0, 1, 2].map((count) => available('move', { rename: true }, count))).toEqual([false, true, true])
    expect([0, 1, 2].map((count) => available('copy', { create: true }, count))).toEqual([false, true, true])
    expect([0, 1, 2].map((count) => available('delete', { delete: true }, count))).toEqual([false, true, true])
    expect([0, 1, 2].map((count) => available('share', { share: true }, count))).toEqual([false, true, false])
    expect(available('upload-files', { create: true }, 0)).toBe(true)
    expect([0, 1, 2].map((count) => available('download', { download: true }, count))).toEqual([true, true, true])
  })

  it('not without the permission', () => {
    const names = Object.keys(ACTIONS).filter((name) => isAvailable(name as ActionName, at({ selected: 1, held: 'copy' })))
    expect(names).toEqual(['open', 'undo', 'redo', 'info', 'activity', 'select-all', 'select-multiple', 'filter', 'clear', 'parent'])
  })

  it('of what takes room, for one folder or the one on show', () => {
    expect([0, 1, 2].map((selected) => isAvailable('usage', at({ selected, folder: true })))).toEqual([true, true, false])
    expect(isAvailable('usage', at({ selected: 1 }))).toBe(false)
  })

  it('of the activity, for one entry or the folder on show; of a rewind, for one folder, with any right to change', () => {
    const perm: Permissions = { ...NONE, rename: true }
    expect([0, 1, 2].map((selected) => isAvailable('activity', at({ selected })))).toEqual([true, true, false])
    expect([0, 1, 2].map((selected) => isAvailable('rewind', at({ selected, folder: true, perm })))).toEqual([true, true, false])
    expect(isAvailable('rewind', at({ perm: { ...NONE, download: true } }))).toBe(false)
  })

  it('of a link that leads nowhere only where nothing is read: it can be renamed, moved and deleted', () => {
    const all: Permissions = { ...NONE, admin: true }
    const lost = (Object.keys(ACTIONS) as ActionName[]).filter((name) =>
      [false, true].every((broken) => isAvailable(name, at({ perm: all, selected: 1, archive: true, broken })) === !broken),
    )
    expect(lost).toEqual(['download', 'share', 'copy-held', 'copy', 'extract-here', 'extract-to', 'compress', 'versions'])
    expect(isAvailable('download', at({ perm: all, broken: true }))).toBe(true)
  })

  it('as a star where there is none yet, and its end where there is one', () => {
    const marks = (starred: boolean | null) => (['star', 'unstar'] as const).filter((name) => isAvailable(name, at({ starred })))
    expect([marks(false), marks(true), marks(null)]).toEqual([['star'], ['unstar'], []])
  })

  it('of one file, not of folders or several, to look at its versions, for which one may download', () => {
    const perm: Permissions = { ...NONE, download: true }
    const offered = [{ selected: 1 }, { selected: 1, folder: true }, { selected: 2 }, { selected: 0 }, { selected: 1, perm: NONE }]
    expect(offered.map((one) => isAvailable('versions', at({ perm, ...one })))).toEqual([true, false, false, false, false])
  })

  it('to administrators always, but where the server said otherwise', () => {
    expect(isAvailable('delete', at({ perm: { ...NONE, admin: true }, selected: 2 }))).toBe(true)
    const told = permissionsWith({ ...NONE, admin: true }, ['download'])
    expect(isAvailable('delete', at({ perm: told, selected: 2 }))).toBe(false)
    expect(isAvailable('access', at({ perm: told, selected: 1 }))).toBe(true)
  })

  it('for archives only with both download and create', () => {
    const available = (perm: Partial<Permissions>, archive = true) =>
      (['extract-here', 'extract-to', 'compress'] as const).filter((name) =>
        isAvailable(name, at({ perm: { ...NONE, ...perm }, selected: 1, archive })),
      )
    expect(available({ create: true })).toEqual([])
    expect(available({ download: true })).toEqual([])
    expect(available({ create: true, download: true })).toEqual(['extract-here', 'extract-to', 'compress'])
    expect(available({ admin: true }, false)).toEqual(['compress'])
  })

  it('as a paste when something is held, with the right that it takes', () => {
    const paste = (perm: Partial<Permissions>, held: ActionContext['held']) =>
      isAvailable('paste', at({ perm: { ...NONE, ...perm }, held }))
    expect([
      paste({ create: true }, 'copy'),
      paste({ create: true }, 'move'),
      paste({ rename: true }, 'move'),
      paste({ create: true }, null),
    ]).toEqual([true, false, true, false])
  })
})

describe('a key press', () => {
  it('means an action', () => {
    const press = (key: string, held: Partial<KeyboardEvent> = {}) =>
      shortcutFor({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held })
    expect(press('F2')).toBe('rename')
    expect(press('s', { ctrlKey: true })).toBe('download')
    expect(press('A', { ctrlKey: true })).toBe('select-all')
    expect(press('v', { metaKey: true })).toBe('paste')
    expect(press('v')).toBeNull()
    expect(press('ArrowUp', { altKey: true })).toBe('parent')
    expect(press('c', { ctrlKey: true, shiftKey: true })).toBeNull()
    const starred = (key: string, now: 'star' | 'unstar') =>
      shortcutFor({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: true }, (name) => name === now)
    expect([starred('*', 'star'), starred('*', 'unstar')]).toEqual(['star', 'unstar'])
    expect([press('/'), press('/', { shiftKey: true }), press('/', { ctrlKey: true })]).toEqual(['filter', 'filter', null])
  })
})

function at(situation: Partial<ActionContext>): ActionContext {
  return { perm: NONE, selected: 0, archive: false, folder: false, broken: false, starred: null, held: null, ...situation }
}
