import { describe, expect, it } from 'bun:test'
import { LANGUAGES } from '../../../../shared/languages.ts'
import { linksFile, readPeopleList } from './people-list.ts'

const NO_LIMIT = { quota: '', files: '' }

describe('a list of people', () => {
  it('has titles in any order, in any case, and columns that mean nothing', () => {
    const text = '\uFEFFE-Mail;Phone;USERNAME;Groups\r\nkim@example.org;1;Kim;Sales|Team\r\n\r\n;;Lee;\r\n'
    expect(readPeopleList(text).people).toEqual([
      {
        line: 2,
        person: { username: 'Kim', address: 'kim@example.org', scope: '', groups: ['Sales', 'Team'], ...NO_LIMIT },
        problem: null,
      },
      { line: 4, person: { username: 'Lee', address: '', scope: '', groups: [], ...NO_LIMIT }, problem: null },
    ])
  })

  it('without titles is name, address, folder, groups', () => {
    expect(readPeopleList('Kim,kim@example.org,/kim,"Sales;Team"').people).toEqual([
      {
        line: 1,
        person: { username: 'Kim', address: 'kim@example.org', scope: '/kim', groups: ['Sales', 'Team'], ...NO_LIMIT },
        problem: null,
      },
    ])
    expect(readPeopleList('Kim\nLee\n').people.map(({ person }) => person.username)).toEqual(['Kim', 'Lee'])
  })

  it('has limits of what may lie in the folder', () => {
    const person = { address: '', scope: '', groups: [], quota: '1,5', files: '100' }
    expect(readPeopleList('username;files;Quota\nKim;100;1,5').people).toEqual([
      { line: 2, person: { username: 'Kim', ...person }, problem: null },
    ])
    expect(readPeopleList('Kim,,,,10 GB,').people[0]?.person).toMatchObject({ quota: '10 GB', files: '' })
  })

  it('keeps quotes, commas and line breaks within cells', () => {
    expect(readPeopleList('name,folder\n"Lee, ""Kim""","/a\nb"').people).toEqual([
      { line: 2, person: { username: 'Lee, "Kim"', address: '', scope: '/a\nb', groups: [], ...NO_LIMIT }, problem: null },
    ])
  })

  it('use-2: says which titles it does not know, and knows those of other languages', () => {
    const german = readPeopleList('Benutzername;Ordner;Gruppen;Abteilung\nKim;/kim;Team;Vertrieb')
    expect(german.unknown).toEqual(['Abteilung'])
    expect(german.people.map(({ person }) => person)).toEqual([
      { username: 'Kim', address: '', scope: '/kim', groups: ['Team'], ...NO_LIMIT },
    ])
    expect(readPeopleList('Vorname,E-Mail,Ordner\nKim,k@example.org,/kim').unknown).toEqual(['Vorname'])
    expect(readPeopleList('Kim,kim@example.org').unknown).toEqual([])
  })

  it('use-2: the titles that the product itself uses are known in each language', async () => {
    for (const { code } of LANGUAGES) {
      const words = (await import(`../../../i18n/${code}.json`)).default as Record<string, string>
      const titles = ['user.username', 'mail.address', 'user.reach', 'groups.title'].map((key) => words[key] ?? '')
      expect([code, readPeopleList(`${titles.join(';')};-\nKim;k@example.org;/k;Team;-`)]).toMatchObject([
        code,
        { people: [{ person: { username: 'Kim', address: 'k@example.org', scope: '/k', groups: ['Team'] } }], unknown: ['-'] },
      ])
    }
  })

  it('use-9: a line that the server would refuse with the whole list has its own problem', () => {
    const { people } = readPeopleList(
      `username;email\nKim;k@example.org\n${'x'.repeat(5000)};\nLee;l@example.org\nAnn;"a@example.org\nBob;`,
    )
    expect(people.map(({ problem }) => problem)).toEqual([null, 'long', null, 'quotes'])
  })

  it('of nothing is empty', () => {
    expect(readPeopleList('').people).toEqual([])
    expect(readPeopleList('username,email\n').people).toEqual([])
  })
})

it('links are saved without formulas', () => {
  expect(linksFile([{ username: '=1+1', link: 'https://x/password#a' }])).toBe(`"'=1+1",https://x/password#a`)
})
