import { setupI18n } from '@lingui/core'
import { create } from 'zustand'
import { type ErrorCode, isAppError } from '../../shared/errors.ts'
import en from './en.json'
import type { Part } from './catalogues.ts'
import { ENGLISH, type Language } from '../../shared/languages.ts'

export type MessageKey = keyof typeof en

/** Placeholders of a message: counts, names, formatted sizes. */
export type MessageValues = Readonly<Record<string, unknown>>

type Catalogue = Parameters<ReturnType<typeof setupI18n>['load']>[1]

// The build compiles every catalogue and splits it in two; this is the part for the first rows. Tests get the whole source catalogue and compile it
// at run time.
let english: Catalogue = en
const i18n = setupI18n({ locale: ENGLISH.tag, messages: { [ENGLISH.tag]: english } })

const useCurrent = create<{ language: Language }>(() => ({ language: ENGLISH }))

/** The current language. The tree is remounted when it changes, so `t` need not be a hook. */
export function useLanguage(): Language {
  return useCurrent((state) => state.language)
}

export function currentLanguage(): Language {
  return useCurrent.getState().language
}

/** A localised message. */
export function t(key: MessageKey, values?: MessageValues): string {
  if (values === undefined) return i18n._(key)
  // The runtime decodes escapes such as `\x41` in the final text, including values. Displayed text never contains NUL, so NUL stands in for `\`.
  const held = Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.replaceAll('\\', '\0') : value])
  return i18n._(key, Object.fromEntries(held)).replaceAll('\0', '\\')
}

/** The localised message of an error. */
export function errorText(error: unknown): string {
  if (!isAppError(error)) return t('error.unexpected')
  const code: ErrorCode = error.code
  return t(`error.${code}`, { ...error.detail })
}

/** Program output attached to an error; undefined if there is none. */
export function errorOutput(error: unknown): string | undefined {
  return isAppError(error, 'hook-failed') ? error.detail.output : undefined
}

/** The language to show once its messages have loaded. */
let wanted: Language = ENGLISH
let parts: readonly Part[] = ['early']
let late: Promise<void> | null = null

/** Sets the language; one without a catalogue uses English texts with its own direction and number formats. */
export function setLanguage(language: Language): Promise<void> {
  wanted = language
  return show()
}

/** Loads the messages of dialogs and further screens, once. Can be retried after a failure. */
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

/** If another language or part is requested while loading, everyone waits for that. */
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

/** Empty for English, for a language without a catalogue, and after a failed load; English is used then. */
async function loadOwn(language: Language, part: Part): Promise<Catalogue> {
  if (language.code === ENGLISH.code) return {}
  try {
    const { loadCatalogue } = await import('./catalogues.ts')
    // Compiled by the same build from the same keys as English.
    return (await loadCatalogue(language.code, part)) as Catalogue
  } catch (error) {
    console.warn(`The ${language.name} texts did not arrive:`, error)
    return {}
  }
}
