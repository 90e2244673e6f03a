import { expect, it } from 'bun:test'
import { changesTo } from './preferences.ts'

const saved = { hideDotfiles: true, singleClick: false, redirectAfterCopyMove: false, locale: '' }

it('counts as changed what differs from what is saved', () => {
  expect(changesTo(saved, {})).toEqual({})
  expect(changesTo(saved, { hideDotfiles: false, locale: 'de' })).toEqual({ hideDotfiles: false, locale: 'de' })
})

it('takes a choice that was taken back for none', () => {
  expect(changesTo(saved, { hideDotfiles: true, singleClick: true, locale: '' })).toEqual({ singleClick: true })
})
