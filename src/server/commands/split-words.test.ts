import { describe, expect, it } from 'bun:test'
import * as fc from 'fast-check'
import { splitWords } from './split-words.ts'

describe('a command line', () => {
  it('is split at blanks, and quotes keep blanks together', () => {
    expect(splitWords('ls -l  "my file" \'an other\'')).toEqual(['ls', '-l', 'my file', 'an other'])
    expect(splitWords('a"b c"d\\ e')).toEqual(['ab cd e'])
    expect(splitWords('echo "" \'\'')).toEqual(['echo', '', ''])
    expect(splitWords(' \t ')).toEqual([])
  })

  it('knows no operators, variables or patterns: they are letters', () => {
    expect(splitWords('ls; rm -rf / && $(id) `id` | cat > x *')).toEqual([
      'ls;',
      'rm',
      '-rf',
      '/',
      '&&',
      '$(id)',
      '`id`',
      '|',
      'cat',
      '>',
      'x',
      '*',
    ])
  })

  it('keeps a backslash between double quotes where it protects nothing', () => {
    expect(splitWords('"a\\b\\"c\\$d"')).toEqual(['a\\b"c$d'])
  })

  it('is not understood when a quote is open or a backslash ends it', () => {
    for (const line of ['"a', "'a", 'a\\', '"a\\"']) expect([line, splitWords(line)]).toEqual([line, null])
  })

  it('gives back any words that were quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
        expect(splitWords(line)).toEqual(words)
      }),
    )
  })
})
