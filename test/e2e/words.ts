import { readFileSync } from 'node:fs'
import type { MessageKey } from '../../src/web/i18n/i18n.tsx'

/** What the interface says in a language, for walks that are the same in several. Of messages without plurals. */
export function wordsOf(code: string): (key: MessageKey, values?: Record<string, string>) => string {
  const texts: Record<string, string> = JSON.parse(readFileSync(`src/web/i18n/${code}.json`, 'utf8'))
  return (key, values = {}) => {
    const text = texts[key]
    if (text === undefined || text.includes(', plural,')) throw new Error(`no plain text for ${key} in ${code}`)
    return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  }
}
