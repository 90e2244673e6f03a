import { describe, expect, it } from 'bun:test'
import * as z from 'zod/mini'
import { Settings } from '../../../../shared/contract/settings.ts'
import { NONE } from '../../../widgets/test-permissions.ts'
import { EVENTS, formOf, linesOf, problemsOf, settingsOf, sizeOf, wordsOf } from './form.ts'

const commands = { ...Object.fromEntries(EVENTS.map((event): [string, string[]] => [event, []])), after_save: ['echo $FILE', 'sync &'] }
const SETTINGS = z.parse(Settings, {
  defaults: { perm: NONE, commands: ['git', 'ls'] },
  shell: ['sh', '-c'],
  commands,
  activityDays: 90,
  trashDays: 30,
  trashShare: 10,
  versionDays: 365,
  versionShare: 10,
})

describe('the form of the settings', () => {
  it('means the settings that it was made from', () => {
    expect(settingsOf(formOf(SETTINGS))).toEqual(SETTINGS)
    expect(formOf(SETTINGS)).toMatchObject({ shell: 'sh -c', chunkSize: '10 MB', retryCount: '5', minimumPasswordLength: '12' })
  })

  it('drops what is empty between spaces and lines', () => {
    expect(wordsOf('  sh   -c ')).toEqual(['sh', '-c'])
    expect(wordsOf('  ')).toEqual([])
    expect(linesOf('\n echo a  b \r\n\n  \ntrue')).toEqual(['echo a  b', 'true'])
  })

  it('reads sizes as people write them', () => {
    expect(['1048576', '1 MB', '1MiB', '1m', '0.5 GB', '1B'].map(sizeOf)).toEqual([2 ** 20, 2 ** 20, 2 ** 20, 2 ** 20, 2 ** 29, 1])
    expect(['', 'ten', '-1', '1 TB', '1 2'].map(sizeOf)).toEqual([NaN, NaN, NaN, NaN, NaN])
    expect(
      [1023, 1024, 1536, 3 * 2 ** 30].map((chunkSize) => formOf({ ...SETTINGS, tus: { chunkSize, retryCount: 0 } }).chunkSize),
    ).toEqual(['1023', '1 KB', '1536', '3 GB'])
  })

  it('tells which numbers are none', () => {
    expect([
      ...problemsOf({
        ...formOf(SETTINGS),
        chunkSize: 'big',
        retryCount: '-1',
        minimumPasswordLength: '0',
        trashShare: '101',
        versionDays: '',
      }),
    ]).toEqual(['chunkSize', 'retryCount', 'versionDays', 'trashShare', 'minimumPasswordLength'])
    expect(problemsOf(formOf(SETTINGS)).size).toBe(0)
  })
})
