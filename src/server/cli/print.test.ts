import { describe, expect, it } from 'bun:test'
import { table, visible } from './print.ts'

describe('printed output', () => {
  it('is aligned in columns, including wide characters', () => {
    expect(
      table([
        ['ID', 'Name', 'Off'],
        ['1', '漢字', 'no'],
        ['10', 'a', 'yes'],
      ]),
    ).toBe('ID  Name  Off\n1   漢字  no\n10  a     yes')
  })

  it('contains no control or bidirectional characters', () => {
    expect(visible('a\u001b[2J\u202eb\n')).toBe('a\\u{1b}[2J\\u{202e}b\\u{a}')
  })
})
