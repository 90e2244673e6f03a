import * as fc from 'fast-check'
import { expect } from 'bun:test'
import { isAppError } from '../../src/shared/errors.ts'
import { decodeFilePath, encodeFilePath, type FilePath, isWithin, parseFilePath, ROOT, segmentsOf } from '../../src/shared/file-path.ts'
import { ALL_RIGHTS } from '../../src/server/access/permissions.ts'
import { canSee, inStorage } from '../../src/server/access/access.ts'
import { compileRules } from '../../src/server/access/rules.ts'
import { parseDestination } from '../../src/server/files/destination.ts'
import { oddText, property } from './property.ts'

const NAMES = ['a', 'b', 'ab', 'a.b', '.a', 'A', 'é', 'e\u0301']
const path = fc.array(fc.constantFrom(...NAMES), { maxLength: 4 }).map((names) => parseFilePath(`/${names.join('/')}`))
const rule = fc.record({ allow: fc.boolean(), names: fc.array(fc.constantFrom(...NAMES), { maxLength: 3 }), slash: fc.boolean() })

export const PATHS = [
  property('a path of any text is canonical, or refused as bad input', 300, oddText(), (text) => {
    for (const read of [parseFilePath, (raw: string) => decodeFilePath(raw).path, parseDestination]) {
      const found = orRefused(() => read(`/${text}`))
      if (found === null) continue
      expect(found === ROOT || segmentsOf(found).every((name) => name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name))).toBe(
        true,
      )
      // Half a letter is no name of a disk; that is said when it is written out.
      expect(orRefused(() => decodeFilePath(encodeFilePath(found)).path) ?? found).toBe(found)
    }
  }),

  property(
    'a rule decides as a list of names says: the last that is a beginning of the path',
    300,
    fc.tuple(fc.array(rule, { maxLength: 6 }), path),
    ([rules, place]) => {
      const written = rules.map(({ allow, names, slash }) => ({
        allow,
        regex: false,
        regexp: null,
        path: `${slash ? '/' : ''}${names.join('/')}`,
      }))
      const composed = segmentsOf(place).map((name) => name.normalize('NFC'))
      const last = rules.findLast(
        ({ names, slash }) => (names.length > 0 || slash) && names.every((name, i) => name.normalize('NFC') === composed[i]),
      )
      expect(compileRules([], written, { hideDotfiles: false }).allows(place)).toBe(last?.allow ?? true)
    },
  ),

  property(
    'a scope and a shared folder are never left, whatever is asked for',
    300,
    fc.tuple(path, path, oddText()),
    ([scope, start, text]) => {
      const rules = compileRules([], [], { hideDotfiles: false })
      const asked = orRefused(() => parseFilePath(`/${text}`))
      if (asked === null) return
      const access = { scope, start, may: ALL_RIGHTS, rules, hideDotfiles: false }
      expect(isWithin(inStorage(access, asked), inStorage(access, ROOT))).toBe(true)
      expect(isWithin(inStorage(access, asked), scope)).toBe(true)
      expect(canSee(access, asked)).toBe(true)
    },
  ),
]

function orRefused(read: () => FilePath): FilePath | null {
  try {
    return read()
  } catch (error) {
    if (isAppError(error, 'invalid-input')) return null
    throw error
  }
}
