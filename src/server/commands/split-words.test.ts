import { describe, expect, it } from 'bun:test'
import * as fc from 'fast-check'
import { splitWords } from './split-words.ts'

describe('a command line', () => {
  it('is split at blanks outside of quotes', () => {
    expect(splitWords('ls -l  "my file" \'an other\'')).toEqual(['ls', '-l', 'my file', 'an other'])
    expect(splitWords('a"b c"d\\ e')).toEqual(['ab cd e'])
    expect(splitWords('echo "" \'\'')).toEqual(['echo', '', ''])
    expect(splitWords(' \t ')).toEqual([])
  })

  it('treats operators, variables and patterns as plain characters', () => {
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

  it('keeps a backslash in double quotes that escapes nothing', () => {
    expect(splitWords('"a\\b\\"c\\$d"')).toEqual(['a\\b"c$d'])
  })

  it('is refused with an open quote or a trailing backslash', () => {
    for (const line of ['"a', "'a", 'a\\', '"a\\"']) expect([line, splitWords(line)]).toEqual([line, null])
  })

  it('returns quoted words unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
        expect(splitWords(line)).toEqual(words)
      }),
    )
  })
})
