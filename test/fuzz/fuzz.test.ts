import * as fc from 'fast-check'
import { describe, expect, it } from 'bun:test'
import failures from './failures.json'
import { PROPERTIES } from './properties.ts'
import type { Failure } from './property.ts'

/** The same each time: what is new is looked for by `npm run fuzz`. */
const SEED = 20260901
/** Each starts servers, on a machine that may be busy. */
const LONGEST_MS = 300_000

describe('whatever comes', () => {
  for (const { says, runs, property } of PROPERTIES) it(says, () => fc.assert(property, { seed: SEED, numRuns: runs }), LONGEST_MS)
})

describe('what was found before', () => {
  for (const { says, seed, path } of failures as Failure[])
    it(
      `stays mended: ${says} (${seed} ${path})`,
      async () => {
        const found = PROPERTIES.find((one) => one.says === says)
        if (found !== undefined) await fc.assert(found.property, { seed, path, endOnFailure: true })
      },
      LONGEST_MS,
    )

  it('is told of properties that there are', () => {
    const known = new Set(PROPERTIES.map(({ says }) => says))
    expect((failures as Failure[]).filter(({ says }) => !known.has(says))).toEqual([])
    expect(known.size).toBe(PROPERTIES.length)
  })
})
