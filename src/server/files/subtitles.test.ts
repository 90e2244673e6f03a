import { describe, expect, it } from 'bun:test'
import { assToVtt, srtToVtt } from './subtitles.ts'
import { decodeForReading, decodeText } from '../../shared/text-content.ts'

describe('SubRip', () => {
  it('is converted to WebVTT', () => {
    const srt =
      '\ufeff1\r\n00:00:01,000 --> 00:00:02,500\r\nOne<br/>Two\r\n\r\n2\r\n00:01:02,003 --> 01:00:00,000 X1:10\r\n<i>It</i> & <font color="red">red</font>\r\n'
    expect(srtToVtt(srt)).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nOne\nTwo\n\n00:01:02.003 --> 01:00:00.000\n<i>It</i> &amp; red\n')
  })

  it('keeps a spoken line that consists of a number', () => {
    expect(srtToVtt('1\n00:00:01,000 --> 00:00:02,000\n42\n\n2\n00:00:03,000 --> 00:00:04,000\nok')).toContain('\n42\n')
  })

  it('skips invalid parts', () => {
    expect(srtToVtt('')).toBe('WEBVTT\n')
    expect(srtToVtt('garbage\n00:00:09,000 --> 00:00:01,000\nbackwards\n\nxx --> yy\n')).toBe('WEBVTT\n')
  })

  it('escapes text that would end a cue or open a tag', () => {
    const vtt = srtToVtt('1\n00:00:01,000 --> 00:00:02,000\n<script>x</script> a --> b < c\n{\\an8}top')
    expect(vtt).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nx a --\u203a b &lt; c\ntop\n')
  })

  it('takes linear time for hostile text (GHSA-448h-jr2h-3vhp)', () => {
    const start = performance.now()
    srtToVtt('<'.repeat(2_000_000))
    srtToVtt(`1\n00:00:01,000 --> 00:00:02,000\n${'<br '.repeat(200_000)}${'{\\'.repeat(200_000)}`)
    srtToVtt(`1\n00:00:01,000 --> 00:00:02,000\n${'x\n'.repeat(1_000_000)}`)
    srtToVtt(`1\n00:00:01,000 --> 00:00:02,000\n${' '.repeat(4_000_000)}x\n1${'\n '.repeat(500_000)}x`)
    assToVtt(`[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,${'{'.repeat(500_000)}${'{\\i1}'.repeat(200_000)}`)
    assToVtt(`[Events]\n${'Dialogue: ,,,,,,,,,\n'.repeat(200_000)}`)
    // Some tenths of a second; a quadratic one takes hours.
    expect(performance.now() - start).toBeLessThan(60_000)
  })
})

describe('SubStation Alpha', () => {
  const ass = (...lines: string[]) => assToVtt(['[Script Info]', 'Title: x', '[Events]', ...lines].join('\n'))

  it('is converted to WebVTT in order of time', () => {
    expect(
      ass(
        'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
        'Dialogue: 0,0:00:05.50,0:00:06.00,Default,,0,0,0,,Later, with comma',
        String.raw`Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\i1\pos(1,2)}First{\i0}\Nline\h2`,
        'Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,no',
      ),
    ).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<i>First</i>\nline\u00a02\n\n00:00:05.500 --> 00:00:06.000\nLater, with comma\n')
  })

  it('skips drawings, and closes all tags', () => {
    expect(ass(String.raw`Dialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,{\p1}m 0 0 l 1 1{\p0}{\b1}bold`)).toContain('\n<b>bold</b>\n')
  })

  it('reads the columns that the file declares', () => {
    expect(ass('Format: Start, End, Text', 'Dialogue: 0:00:01.00,0:00:02.00,a<b')).toContain('\na&lt;b\n')
  })
})

describe('the encoding of a text', () => {
  it('is UTF-8, UTF-16 with a byte order mark, or Windows-1252', () => {
    expect(decodeForReading(Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa9))).toBe('é')
    expect(decodeForReading(Uint8Array.of(0xff, 0xfe, 0xe9, 0))).toBe('é')
    expect(decodeForReading(Uint8Array.of(0xe9, 0x80))).toBe('é€')
  })

  it('tells whether writing it back would change the bytes', () => {
    expect(decodeText(Uint8Array.of(0xc3, 0xa9))).toEqual({ text: 'é', faithful: true })
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 65))).toEqual({ text: '\ufeffA', faithful: true })
    expect(decodeText(Uint8Array.of(65, 0xff))).toEqual({ text: 'A\ufffd', faithful: false })
    expect(decodeText(Uint8Array.of(0xff, 0xfe, 65, 0))).toEqual({ text: 'A', faithful: false })
  })
})
