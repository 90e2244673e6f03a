import { forms } from './forms.ts'
import { icelandicRelative } from './icelandic.ts'

/** A compiled catalogue, as the build writes it. */
export type Compiled = Readonly<Record<string, unknown>>

/** The messages of the first page, or the rest. */
export type Part = 'early' | 'late'

// Expanded by the build to two lines per language. A separate module, so that the first page does not contain the list.
const files: Readonly<Record<Part, Readonly<Record<string, () => Promise<Compiled>>>>> = {
  early: import.meta.glob<Compiled>(['./*.json', '!./en.json'], { import: 'default' }),
  late: import.meta.glob<Compiled>(['./*.json', '!./en.json'], { import: 'default', query: '?late' }),
}

// The only one of our languages that browsers may lack.
forms.relative = icelandicRelative

/** One part of a catalogue; empty for a language without one. */
export async function loadCatalogue(code: string, part: Part): Promise<Compiled> {
  return (await files[part][`./${code}.json`]?.()) ?? {}
}
