import * as fc from 'fast-check'

/** A sentence that holds for whatever comes. */
export interface Property {
  readonly says: string
  /** How often it is tried in `npm test`. */
  readonly runs: number
  readonly property: fc.IAsyncProperty<unknown>
}

/** Input that made a property fail, as fast-check finds it again. */
export interface Failure {
  readonly says: string
  readonly seed: number
  readonly path: string
}

/** Types away what comes in, so that properties of all kinds stand in one list. */
export function property<T>(says: string, runs: number, input: fc.Arbitrary<T>, holds: (value: T) => Promise<void> | void): Property {
  return { says, runs, property: fc.asyncProperty(input, async (value) => holds(value)) }
}

/** Letters that mean something to somebody on the way of a path. */
export const PIECES = fc.constantFrom(
  ...'/ \\ . .. % %2e %2f %5c %00 %ff %252e ; : ? # & = ~ * | " a A b .dot é e\u0301 \u202e \ud800 𝕏 CON - ﬁ'.split(' '),
  ' ',
  '\n',
  '\0',
)

/** A text made of such pieces and of any letters. */
export function oddText(maxLength = 12): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof({ weight: 3, arbitrary: PIECES }, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength })
    .map((all) => all.join(''))
}
