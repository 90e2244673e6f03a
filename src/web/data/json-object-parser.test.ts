import { expect, it } from 'bun:test'
import fc from 'fast-check'
import { createJsonObjectParser } from './json-object-parser.ts'

it('yields every object of an array once, however it is split', () => {
  const objects = fc.array(
    fc.record({ path: fc.oneof(fc.string(), fc.constantFrom('\\', '"', '}{', '\\"}')), size: fc.nat(), isDir: fc.boolean() }),
  )
  fc.assert(
    fc.property(objects, fc.array(fc.nat(12)), (all, cuts) => {
      const read = createJsonObjectParser()
      const told: unknown[] = []
      let text = JSON.stringify(all)
      for (const cut of cuts) {
        told.push(...read(text.slice(0, cut)))
        text = text.slice(cut)
      }
      told.push(...read(text))
      expect(told).toEqual(all)
    }),
  )
})
