import { describe, expect, it } from 'bun:test'
import * as fc from 'fast-check'
import { createAnsiParser, type AnsiSegment } from './ansi.ts'

const ESC = '\u001b'

describe('colours of program output', () => {
  it('follow SGR sequences until they are reset', () => {
    expect(read(`a${ESC}[31mb${ESC}[1;42mc${ESC}[22;39md${ESC}[mf`)).toEqual([
      ['a', ''],
      ['b', 'red'],
      ['c', 'red on-green bold'],
      ['d', 'on-green'],
      ['f', ''],
    ])
    expect(read(`${ESC}[94ma${ESC}[107mb${ESC}[49;39mc`)).toEqual([
      ['a', 'blue'],
      ['b', 'blue on-white'],
      ['c', ''],
    ])
  })

  it('are mapped to the nearest readable colour', () => {
    expect(read(`${ESC}[38;5;196ma${ESC}[38;2;20;200;30mb${ESC}[48;5;21mc`)).toEqual([
      ['a', 'red'],
      ['b', 'green'],
      ['c', 'green on-blue'],
    ])
    expect(read(`${ESC}[38;5;244mgrey${ESC}[38:5:3myellow`)).toEqual([
      ['grey', ''],
      ['yellow', 'yellow'],
    ])
  })

  it('may arrive in parts', () => {
    const ansi = createAnsiParser()
    const pieces = [...`x${ESC}[1;31my${ESC}]0;title${ESC}\\z`].flatMap((char) => ansi.take(char))
    expect(textsOf(pieces)).toEqual([
      ['x', ''],
      ['y', 'red bold'],
      ['z', 'red bold'],
    ])
  })
})

describe('control sequences', () => {
  it('are removed: cursor moves, titles, bells and others', () => {
    const text = `a${ESC}[2Jb${ESC}[10;3Hc${ESC}]8;;http://x\u0007d${ESC}(Be\u0007\u0000f\tg`
    expect(read(text).map(([shown]) => shown)).toEqual(['a', 'b', 'c', 'd', 'ef\tg'])
  })

  it('distinguish line ends from carriage returns, even if split', () => {
    const ansi = createAnsiParser()
    const kinds = ['a\r', '\nb\rc', '\n'].flatMap((text) => ansi.take(text)).map(({ kind }) => kind)
    expect(kinds).toEqual(['text', 'line', 'text', 'return', 'text', 'line'])
  })

  it('do not delay text that only looks like their start', () => {
    const ansi = createAnsiParser()
    expect(ansi.take(`${ESC}[${'1'.repeat(10_000)}`)).not.toEqual([])
  })
})

it('markup is plain text', () => {
  expect(read('<img src=x onerror=alert(1)>')).toEqual([['<img src=x onerror=alert(1)>', '']])
})

it('the output does not depend on how it is split', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(ESC, '[', '31', 'm', ';', '\r', '\n', 'a', ']', '\\', '\u0007', '1', '38', ':')),
      fc.nat(),
      (parts, cut) => {
        const text = parts.join('')
        const at = cut % (text.length + 1)
        const once = createAnsiParser()
        const twice = createAnsiParser()
        const whole = [...once.take(text), ...once.take('end')]
        const halves = [...twice.take(text.slice(0, at)), ...twice.take(text.slice(at)), ...twice.take('end')]
        expect(merged(halves)).toEqual(merged(whole))
      },
    ),
  )
})

function read(text: string): [string, string][] {
  return textsOf(createAnsiParser().take(text))
}

function textsOf(pieces: readonly AnsiSegment[]): [string, string][] {
  return pieces.flatMap((piece) => (piece.kind === 'text' ? [[piece.text, piece.look] as [string, string]] : []))
}

/** Neighbours of one look are one text, wherever it was cut. */
function merged(pieces: readonly AnsiSegment[]): string {
  return pieces
    .map((piece) => (piece.kind === 'text' ? [...piece.text].map((char) => `${char}{${piece.look}}`).join('') : `<${piece.kind}>`))
    .join('')
}
