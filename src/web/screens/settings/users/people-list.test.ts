import { describe, expect, it } from 'bun:test'
import { linksFile, readPeopleList } from './people-list.ts'

const NO_LIMIT = { quota: '', files: '' }

describe('a list of people', () => {
  it('has titles in any order, in any case, and columns that mean nothing', () => {
    const text = '\uFEFFE-Mail;Phone;USERNAME;Groups\r\nkim@example.org;1;Kim;Sales|Team\r\n\r\n;;Lee;\r\n'
    expect(readPeopleList(text)).toEqual([
      { line: 2, person: { username: 'Kim', address: 'kim@example.org', scope: '', groups: ['Sales', 'Team'], ...NO_LIMIT } },
      { line: 4, person: { username: 'Lee', address: '', scope: '', groups: [], ...NO_LIMIT } },
    ])
  })

  it('without titles is name, address, folder, groups', () => {
    expect(readPeopleList('Kim,kim@example.org,/kim,"Sales;Team"')).toEqual([
      { line: 1, person: { username: 'Kim', address: 'kim@example.org', scope: '/kim', groups: ['Sales', 'Team'], ...NO_LIMIT } },
    ])
    expect(readPeopleList('Kim\nLee\n').map(({ person }) => person.username)).toEqual(['Kim', 'Lee'])
  })

  it('has limits of what may lie in the folder', () => {
    const person = { address: '', scope: '', groups: [], quota: '1,5', files: '100' }
    expect(readPeopleList('username;files;Quota\nKim;100;1,5')).toEqual([{ line: 2, person: { username: 'Kim', ...person } }])
    expect(readPeopleList('Kim,,,,10 GB,')[0]?.person).toMatchObject({ quota: '10 GB', files: '' })
  })

  it('keeps quotes, commas and line breaks within cells', () => {
    expect(readPeopleList('name,folder\n"Lee, ""Kim""","/a\nb"')).toEqual([
      { line: 2, person: { username: 'Lee, "Kim"', address: '', scope: '/a\nb', groups: [], ...NO_LIMIT } },
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
