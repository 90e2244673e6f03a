import { forms } from './forms.ts'
import { icelandicRelative } from './icelandic.ts'

/** What the build makes of a catalogue: compiled messages. */
export type Compiled = Readonly<Record<string, unknown>>

/** A part of it, as the first page wants it or the rest. */
export type Part = 'early' | 'late'

// Written out by the build, two lines for each language: a module of its own, so that the first page does not carry the list.
const files: Readonly<Record<Part, Readonly<Record<string, () => Promise<Compiled>>>>> = {
  early: import.meta.glob<Compiled>(['./*.json', '!./en.json'], { import: 'default' }),
  late: import.meta.glob<Compiled>(['./*.json', '!./en.json'], { import: 'default', query: '?late' }),
}

// The one of our languages that a browser may not know.
forms.relative = icelandicRelative

/** One part of a language's messages; nothing where it has no catalogue. */
export async function loadCatalogue(code: string, part: Part): Promise<Compiled> {
  return (await files[part][`./${code}.json`]?.()) ?? {}
}
