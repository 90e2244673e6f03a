import { setupI18n } from '@lingui/core'
import { create } from 'zustand'
import { type ErrorCode, isAppError } from '../../shared/errors.ts'
import en from './en.json'
import type { Part } from './catalogues.ts'
import { ENGLISH, type Language } from './languages.ts'

export type MessageKey = keyof typeof en

/** What a message needs to be complete: counts, names, sizes already formatted. */
export type MessageValues = Readonly<Record<string, unknown>>

type Catalogue = Parameters<ReturnType<typeof setupI18n>['load']>[1]

// The build compiles every catalogue of this folder to what the runtime reads, in two parts: this one is what the first rows need. Tests meet
// the messages as written and whole, and compile them then.
let english: Catalogue = en
const i18n = setupI18n({ locale: ENGLISH.tag, messages: { [ENGLISH.tag]: english } })

const useCurrent = create<{ language: Language }>(() => ({ language: ENGLISH }))

/** The language on show. Whoever keeps the tree gives it a new key when this changes, so `t` need not be a hook. */
export function useLanguage(): Language {
  return useCurrent((state) => state.language)
}

export function currentLanguage(): Language {
  return useCurrent.getState().language
}

/** A message in the reader's language. */
export function t(key: MessageKey, values?: MessageValues): string {
  if (values === undefined) return i18n._(key)
  // The runtime decodes escapes such as `\x41` in the finished text, values and all; nothing shown holds a NUL, so it stands in for `\`.
  const held = Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.replaceAll('\\', '\0') : value])
  return i18n._(key, Object.fromEntries(held)).replaceAll('\0', '\\')
}

/** What went wrong, in words for the reader. */
export function errorText(error: unknown): string {
  if (!isAppError(error)) return t('error.unexpected')
  const code: ErrorCode = error.code
  return t(`error.${code}`, { ...error.detail })
}

/** What a program said that made something fail; undefined where none did. */
export function errorOutput(error: unknown): string | undefined {
  return isAppError(error, 'hook-failed') ? error.detail.output : undefined
}

/** What is to be shown as soon as its texts are here. */
let wanted: Language = ENGLISH
let parts: readonly Part[] = ['early']
let late: Promise<void> | null = null

/** Shows another language; one without a catalogue keeps English words, but its direction and number forms. */
export function setLanguage(language: Language): Promise<void> {
  wanted = language
  return show()
}

/** Fetches what only dialogs and the screens behind the first one say; once, whoever asks. What failed can be asked for again. */
export function loadLateMessages(): Promise<void> {
  late ??= fetchLateMessages()
  return late
}

async function fetchLateMessages(): Promise<void> {
  try {
    const [{ default: words }] = await Promise.all([import('./en.json?late'), loadOwn(wanted, 'late')])
    english = { ...english, ...words }
    parts = ['early', 'late']
    await show()
  } catch (error) {
    late = null
    throw error
  }
}

/** Another language or part may be wanted while texts are on their way: then all who wait, wait for that. */
async function show(): Promise<void> {
  const language = wanted
  const now = parts
  const own = await Promise.all(now.map((part) => loadOwn(language, part)))
  if (language !== wanted || now !== parts) return show()
  i18n.load(language.tag, Object.assign({}, english, ...own))
  i18n.activate(language.tag)
  document.documentElement.lang = language.tag
  document.documentElement.dir = language.dir
  useCurrent.setState({ language })
}

/** Of English, of a language without a catalogue, and of one that did not arrive, nothing: its readers get English words. */
async function loadOwn(language: Language, part: Part): Promise<Catalogue> {
  if (language.code === ENGLISH.code) return {}
  try {
    const { loadCatalogue } = await import('./catalogues.ts')
    // Compiled by the same build from the same sources as the English ones.
    return (await loadCatalogue(language.code, part)) as Catalogue
  } catch (error) {
    console.warn(`The ${language.name} texts did not arrive:`, error)
    return {}
  }
}
