import { describe, expect, it } from 'bun:test'
import { momentInInfo, momentInName } from './snapshot-moment.ts'

const universal = (text: string): number => Date.parse(`${text}Z`)
const local = (text: string): number => Date.parse(text)

describe('the time of a snapshot', () => {
  const NAMES: Record<string, number | null> = {
    '2026-05-01T06:25:07Z': universal('2026-05-01T06:25:07'),
    '2026-05-01T06:25:07+02:00': universal('2026-05-01T04:25:07'),
    '20260501T062507+0200': universal('2026-05-01T04:25:07'),
    '@GMT-2026.05.01-06.25.00': universal('2026-05-01T06:25:00'),
    'zfs-auto-snap_daily-2026-05-01-0625': universal('2026-05-01T06:25:00'),
    'autosnap_2026-05-01_06:25:00_daily': local('2026-05-01T06:25:00'),
    'auto-2026-05-01_06-25': local('2026-05-01T06:25:00'),
    'home.20260501T0625': local('2026-05-01T06:25:00'),
    'home.20260501': local('2026-05-01T00:00:00'),
    '2026-05-01_06-25-01': local('2026-05-01T06:25:01'),
    'before 2026-05-01': local('2026-05-01T00:00:00'),
    'snap-1777616700': 1_777_616_700_000,
    '2026-02-30': null,
    '2026-13-01': null,
    'daily.0': null,
    '42': null,
    '123456789': null,
    '': null,
  }
  for (const [name, at] of Object.entries(NAMES)) {
    it(`is read from its name: “${name}”`, () => {
      expect(momentInName(name)).toBe(at)
    })
  }

  it('is read from what snapper writes beside it', () => {
    const xml = '<?xml version="1.0"?>\n<snapshot>\n  <num>42</num>\n  <date>2026-05-01 06:25:07</date>\n</snapshot>\n'
    expect(momentInInfo(xml)).toBe(universal('2026-05-01T06:25:07'))
    expect(momentInInfo('<snapshot/>')).toBeNull()
  })
})
