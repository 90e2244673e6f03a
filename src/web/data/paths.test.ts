import { describe, expect, it } from 'bun:test'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import { pathFromLocation, safeRedirect, urlFromPath } from './paths.ts'

const AWKWARD = [
  '100%.txt',
  'a#b.txt',
  'what?.txt',
  '%2F.txt',
  '%252F.txt',
  'a+b c.txt',
  'a&b=c.txt',
  '写真 京都.jpg',
  'Отчёт за апрель.txt',
  'تقرير ٢٠٢٥.pdf',
  '👩‍👩‍👧.png',
  'quo"te\'s.txt',
  'back\\slash.txt',
  'semi;colon:at@dollar$comma,.txt',
  'trailing.',
  ' leading space',
  'line\nfeed.txt',
  'latin1-\udce9.txt',
]

describe('URLs of the files area', () => {
  for (const name of AWKWARD) {
    it(`are parsed to the original name: ${JSON.stringify(name)}`, () => {
      const path = parseFilePath(`/folder/${name}`)
      const pathname = new URL(urlFromPath(path, { folder: false }), 'http://host').pathname
      expect(pathFromLocation(pathname)).toEqual({ path, folder: false })
    })
  }

  it('distinguish folders from files by the trailing slash', () => {
    const path = parseFilePath('/dir')
    expect(urlFromPath(path, { folder: true })).toBe('/files/dir/')
    expect(pathFromLocation('/files/dir/')).toEqual({ path, folder: true })
    expect(pathFromLocation('/files/dir')).toEqual({ path, folder: false })
  })

  it('are the root with and without slash', () => {
    expect(urlFromPath(ROOT, { folder: true })).toBe('/files/')
    expect(pathFromLocation('/files')).toEqual({ path: ROOT, folder: true })
    expect(pathFromLocation('/files/')).toEqual({ path: ROOT, folder: true })
  })

  it('S4: count several slashes as one', () => {
    expect(pathFromLocation('/files//docs/')).toEqual(pathFromLocation('/files/docs/'))
    expect(pathFromLocation('/files/a//b')).toEqual(pathFromLocation('/files/a/b'))
  })

  it('are null if malformed or of another area', () => {
    for (const pathname of ['/files/%', '/files/%zz', '/files/a%00b', '/filesystem/', '/share/x']) {
      expect(pathFromLocation(pathname)).toBeNull()
    }
  })
})

describe('the redirect after signing in', () => {
  it('keeps path, query, spaces and other scripts', () => {
    expect(safeRedirect('/files/a%20b/%E5%86%99/?x=1#y')).toBe('/files/a%20b/%E5%86%99/?x=1#y')
  })

  it('never leaves this application (A4-1)', () => {
    const hostile = [
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'https://evil.example/',
      'javascript:alert(1)',
      '\\\\evil.example',
      '',
    ]
    for (const wanted of hostile) expect(safeRedirect(wanted)).toBe('/files/')
  })

  it('leads to the files by default', () => {
    for (const wanted of [null, '/', '/login', '/login?redirect=/login']) expect(safeRedirect(wanted)).toBe('/files/')
  })
})
