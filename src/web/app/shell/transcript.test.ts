import { describe, expect, it } from 'bun:test'
import { createAnsiParser } from './ansi.ts'
import { append, startEntry, EMPTY, MAX_LINE_CHARS, MAX_LINES, finishEntry, textOf, type Transcript } from './transcript.ts'

describe('the transcript', () => {
  it('keeps both output streams in order and distinguishable', () => {
    let transcript = say(startEntry(EMPTY, '/', 'x'), 'stdout', 'one ')
    transcript = say(transcript, 'stderr', 'two\nthr')
    transcript = say(transcript, 'stdout', 'ee\n')
    expect(transcript.entries[0]?.lines.map(({ runs }) => runs.map(({ from, text }) => `${from} ${text}`))).toEqual([
      ['stdout one ', 'stderr two'],
      ['stderr thr', 'stdout ee'],
      [],
    ])
    expect(textOf(transcript)).toBe('$ x\none two\nthree')
  })

  it('lets a carriage return overwrite the line', () => {
    expect(textOf(say(startEntry(EMPTY, '/', 'x'), 'stdout', '10 %\r50 %\r100 %\ndone'))).toBe('$ x\n100 %\ndone')
  })

  it('drops the oldest lines, of old commands first, and says so', () => {
    let transcript = finishEntry(say(startEntry(EMPTY, '/', 'old'), 'stdout', 'a\nb'), { ended: 'exited', exit: 0 })
    transcript = say(startEntry(transcript, '/', 'new'), 'stdout', Array.from({ length: MAX_LINES - 1 }, (_, n) => `${n}`).join('\n'))
    expect(transcript.entries.map(({ command, lines }) => [command, lines.length])).toEqual([
      ['old', 1],
      ['new', MAX_LINES - 1],
    ])
    expect(transcript.dropped).toBe(true)
    transcript = say(transcript, 'stdout', '\nx\ny')
    expect(transcript.entries.map(({ command, lines }) => [command, lines.length])).toEqual([['new', MAX_LINES]])
  })

  it('wraps a line without an end', () => {
    const transcript = say(startEntry(EMPTY, '/', 'x'), 'stdout', 'y'.repeat(MAX_LINE_CHARS * 2 + 1))
    expect(transcript.entries[0]?.lines.map(({ runs }) => runs[0]?.text.length)).toEqual([MAX_LINE_CHARS, MAX_LINE_CHARS, 1])
  })
})

function say(transcript: Transcript, from: 'stdout' | 'stderr', text: string): Transcript {
  return append(transcript, [{ from, pieces: createAnsiParser().take(text) }])
}
