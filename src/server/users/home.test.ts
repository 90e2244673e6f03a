import { describe, expect, it } from 'bun:test'
import * as fc from 'fast-check'
import { isWithin, parseFilePath, segmentsOf } from '../../shared/file-path.ts'
import { Settings } from '../settings/settings.ts'
import { homeName } from '../../shared/home-name.ts'
import { homeFor, proposedHome } from './home.ts'

describe('the name of a home', () => {
  it('is the username, cleaned as in the predecessor', () => {
    const names = ['bob', ' Bob ', 'a@b_c.d-e', 'Team x', 'a//b', '../../etc', '..a..', 'Änn', 'a\0b', '…', '..', '...', '', '---']
    expect(names.map(homeName)).toEqual([
      'bob',
      'Bob',
      'a@b_c.d-e',
      'Team-x',
      'a-b',
      '-etc',
      'a',
      '-nn',
      'a-b',
      null,
      null,
      null,
      null,
      null,
    ])
  })

  it('is always a direct child of the base folder (GHSA-m83q-5wr4-4gfp)', () => {
    const settings = Settings.parse({ createUserDir: true, userHomeBasePath: '/people/../home' })
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        if (homeName(name) === null) return
        const { scope, own } = homeFor(name, '', settings)
        expect([own, isWithin(scope, parseFilePath('/home')), segmentsOf(scope).length]).toEqual([true, true, 2])
      }),
    )
  })
})

describe('a home', () => {
  const on = Settings.parse({ createUserDir: true, defaults: { scope: './shared' } })
  const off = Settings.parse({ defaults: { scope: './shared' } })
  const places = (settings: Settings) => ['', ' ', './shared', '/', 'x/../y'].map((asked) => String(homeFor('bob', asked, settings).scope))

  it('is derived from the name if none was chosen and home folders are enabled', () => {
    expect(places(on)).toEqual(['/users/bob', '/users/bob', '/users/bob', '/', '/y'])
  })

  it('is the chosen one or the default if home folders are disabled', () => {
    expect(places(off)).toEqual(['/shared', '/shared', '/shared', '/', '/y'])
  })
})

describe('use-1: the home of a line of a list', () => {
  const placesOf = (settings: Settings) => ['', ' ', '/', '/shared'].map((asked) => String(proposedHome('bob', asked, settings).scope))

  it('is the person’s own folder, as the form proposes it, unless the list or the defaults name one', () => {
    expect(placesOf(Settings.parse({}))).toEqual(['/users/bob', '/users/bob', '/', '/shared'])
    expect(placesOf(Settings.parse({ defaults: { scope: '/team' } }))).toEqual(['/team', '/team', '/', '/shared'])
    expect(placesOf(Settings.parse({ createUserDir: true, defaults: { scope: '/team' } }))).toEqual([
      '/users/bob',
      '/users/bob',
      '/',
      '/shared',
    ])
  })
})
