import { describe, expect, it } from 'bun:test'
import { table, visible } from './print.ts'

describe('what is printed', () => {
  it('stands in columns, wide letters too', () => {
    expect(
      table([
        ['ID', 'Name', 'Off'],
        ['1', '漢字', 'no'],
        ['10', 'a', 'yes'],
      ]),
    ).toBe('ID  Name  Off\n1   漢字  no\n10  a     yes')
  })

  it('cannot move the cursor or reorder the line', () => {
    expect(visible('a\u001b[2J\u202eb\n')).toBe('a\\u{1b}[2J\\u{202e}b\\u{a}')
  })
})
