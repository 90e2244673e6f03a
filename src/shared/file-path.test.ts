import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { isAppError } from './errors.ts'
import {
  bytesToName,
  decodeFilePath,
  encodeFilePath,
  isWithin,
  joinPath,
  nameOf,
  nameToBytes,
  parentOf,
  parseFilePath,
  pathFrom,
  placeUnder,
  ROOT,
} from './file-path.ts'

const refused = (work: () => unknown): boolean => {
  try {
    work()
    return false
  } catch (error) {
    return isAppError(error, 'invalid-input')
  }
}

describe('a file path', () => {
  it('preserves unusual names in URLs', () => {
    for (const name of ODD_NAMES) {
      const path = joinPath(parseFilePath('/a folder'), name)
      expect(decodeFilePath(encodeFilePath(path)).path).toBe(path)
    }
  })

  it('preserves any name, including bytes that are not UTF-8', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 }).filter((name) => !name.includes(0) && !name.includes(0x2f))
    fc.assert(
      fc.property(bytes, (raw) => {
        const name = bytesToName(raw)
        fc.pre(name !== '.' && name !== '..')
        expect(Array.from(nameToBytes(name))).toEqual(Array.from(raw))
        expect(String(decodeFilePath(encodeFilePath(joinPath(ROOT, name))).path)).toBe(`/${name}`)
      }),
    )
  })

  it('is refused if it is not canonical, such as every spelling of ..', () => {
    for (const raw of GOING_UP) expect([raw, refused(() => decodeFilePath(raw))]).toEqual([raw, true])
  })

  it('is decoded once', () => {
    expect(decodeFilePath('/%252e%252e/%2541').path).toBe(parseFilePath('/%2e%2e/%41'))
  })

  it('keeps whether it was written as a folder', () => {
    expect(decodeFilePath('/docs/')).toEqual({ path: parseFilePath('/docs'), slash: true })
    expect(decodeFilePath('/docs').slash).toBe(false)
    expect(decodeFilePath('/')).toEqual({ path: ROOT, slash: true })
  })

  it('is inside another path only at a segment boundary', () => {
    expect(isWithin(parseFilePath('/docs-old/a'), parseFilePath('/docs'))).toBe(false)
    expect(isWithin(parseFilePath('/docs/a'), parseFilePath('/docs'))).toBe(true)
    expect(pathFrom(parseFilePath('/docs'), parseFilePath('/docs-old'))).toBeNull()
    expect(pathFrom(parseFilePath('/docs'), parseFilePath('/docs/a/b'))).toBe(parseFilePath('/a/b'))
  })

  it('has the root as its last parent', () => {
    expect(parentOf(parseFilePath('/a/b'))).toBe(parseFilePath('/a'))
    expect(parentOf(parseFilePath('/a'))).toBe(ROOT)
    expect(parentOf(ROOT)).toBe(ROOT)
    expect(nameOf(ROOT)).toBe('')
    expect(placeUnder(parseFilePath('/home'), ROOT)).toBe(parseFilePath('/home'))
  })

  it('refuses names with a slash or NUL, and empty names', () => {
    for (const name of ['', '.', '..', 'a/b', 'a\0b']) expect(refused(() => joinPath(ROOT, name))).toBe(true)
  })
})

const ODD_NAMES = [
  '100% a+b?#é\'"<b>.txt',
  '..hidden',
  'a\\b',
  '🧳 bag',
  'ملف.txt',
  'x'.repeat(255),
  'trailing space ',
  '%2F.txt',
  'new\nline',
  '\u202Egnp.exe',
  '\uDCFFbytes\uDC80',
  '﻿bom',
]

const GOING_UP = [
  '..',
  '/..',
  '/../',
  '/a/..',
  '/a/../b',
  '/./a',
  '/a/.',
  '//a',
  '/a//b',
  '/a//',
  '/%2e%2e',
  '/%2E%2e/',
  '/.%2e',
  '/%2e.',
  '/a/%2e%2e/b',
  '/%2e',
  '/%2e%2e%2f%2e%2e',
  '/..%2f..',
  '/a%2f..%2fb',
  '/a%2f%2fb',
  '/%2f',
  '/%2f%2f',
  '/a/%2f',
  '/a%00b',
  '/%00',
  '/%',
  '/%2',
  '/%zz',
  '/%g0',
  '/a%',
  '/%u002e',
  '/../..',
  '/../../etc/passwd',
  '/a/b/../../..',
  '/%2e%2e/%2e%2e/etc',
  '/..%2fetc',
  '/%2f..',
  '/./',
  '/a/./b',
  '/a/%2e/b',
  '/.%2f',
  '/%2e/',
]
