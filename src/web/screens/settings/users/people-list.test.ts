import { describe, expect, it } from 'bun:test'
import { linksFile, readPeopleList } from './people-list.ts'

describe('a list of people', () => {
  it('has titles in any order, in any case, and columns that mean nothing', () => {
    const text = '\uFEFFE-Mail;Phone;USERNAME;Groups\r\nkim@example.org;1;Kim;Sales|Team\r\n\r\n;;Lee;\r\n'
    expect(readPeopleList(text)).toEqual([
      { line: 2, person: { username: 'Kim', address: 'kim@example.org', scope: '', groups: ['Sales', 'Team'] } },
      { line: 4, person: { username: 'Lee', address: '', scope: '', groups: [] } },
    ])
  })

  it('without titles is name, address, folder, groups', () => {
    expect(readPeopleList('Kim,kim@example.org,/kim,"Sales;Team"')).toEqual([
      { line: 1, person: { username: 'Kim', address: 'kim@example.org', scope: '/kim', groups: ['Sales', 'Team'] } },
    ])
    expect(readPeopleList('Kim\nLee\n').map(({ person }) => person.username)).toEqual(['Kim', 'Lee'])
  })

  it('keeps quotes, commas and line breaks within cells', () => {
    expect(readPeopleList('name,folder\n"Lee, ""Kim""","/a\nb"')).toEqual([
      { line: 2, person: { username: 'Lee, "Kim"', address: '', scope: '/a\nb', groups: [] } },
    ])
  })

  it('of nothing is empty', () => {
    expect(readPeopleList('')).toEqual([])
    expect(readPeopleList('username,email\n')).toEqual([])
  })
})

it('links are saved without formulas', () => {
  expect(linksFile([{ username: '=1+1', link: 'https://x/password#a' }])).toBe(`"'=1+1",https://x/password#a`)
})
