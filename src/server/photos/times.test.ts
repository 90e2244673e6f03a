import { describe, expect, it } from 'bun:test'
import { parseOffset, parseTaken, takenByName } from './times.ts'

describe('a date in metadata', () => {
  it('is read as EXIF and XMP write it, with its offset', () => {
    const local = Date.UTC(2024, 6, 19, 12, 3, 0)
    expect(parseTaken('2024:07:19 12:03:00')).toEqual({ local, offset: null })
    expect(parseTaken('2024-07-19T12:03:00+02:00')).toEqual({ local, offset: 120 })
    expect(parseTaken('2024-07-19T12:03:00-0330')).toEqual({ local, offset: -210 })
    expect(parseTaken('2024-07-19T12:03:00.5Z')).toEqual({ local: local + 500, offset: 0 })
    expect(parseTaken('2024-07-19')).toEqual({ local: Date.UTC(2024, 6, 19), offset: null })
  })

  it('is none if the clock was never set, or no such moment is', () => {
    for (const text of [
      '0000:00:00 00:00:00',
      '    :  :     :  :  ',
      '2024:13:01 00:00:00',
      '2024:06:31 10:00:00',
      '2024:06:30 25:00:00',
      'x',
      '',
    ])
      expect([text, parseTaken(text)]).toEqual([text, null])
  })

  it('has an offset only where there can be one', () => {
    expect(['+14:00', '-0930', 'Z', '+15:00', '5', '   :  '].map(parseOffset)).toEqual([840, -570, 0, null, null, null])
  })
})

describe('a date in a name', () => {
  it('is found as phones, cameras and messengers write it', () => {
    const names: Record<string, string> = {
      'IMG_20240719_120300.jpg': '2024-07-19T12:03:00',
      'PXL_20240719_120300123.jpg': '2024-07-19T12:03:00',
      '20240719_120300(0).jpg': '2024-07-19T12:03:00',
      '2024-07-19 12.03.00.jpg': '2024-07-19T12:03:00',
      'Screenshot 2024-07-19 at 12.03.00.png': '2024-07-19T12:03:00',
      'signal-2024-07-19-12-03-00-123.jpg': '2024-07-19T12:03:00',
      'VID-20240719-WA0007.mp4': '2024-07-19T12:00:00',
      '2024-07-19.jpg': '2024-07-19T12:00:00',
    }
    for (const [name, date] of Object.entries(names))
      expect([name, new Date(takenByName(name)?.local ?? 0).toISOString().slice(0, 19)]).toEqual([name, date])
  })

  it('is not found in other numbers', () => {
    for (const name of ['DSC_0042.jpg', '1234567890123.jpg', '20241399.jpg', '920240719.jpg', '2024.jpg', '2024-07-1.jpg'])
      expect([name, takenByName(name)]).toEqual([name, null])
  })
})
