import { HighlightStyle, LanguageDescription } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import { tags } from '@lezer/highlight'

/** The language of a file name; null if unknown. */
export function languageOf(name: string): LanguageDescription | null {
  return LanguageDescription.matchFilename(languages, name)
}

/** Few colours, with sufficient contrast on both surfaces. */
export const codeHighlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--type-image)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--type-sheet)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit], color: 'var(--type-video)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--text-3)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.macroName], color: 'var(--type-document)' },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], color: 'var(--type-code)' },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], color: 'var(--type-document)' },
  { tag: [tags.heading, tags.strong], fontWeight: '650' },
  { tag: tags.heading, color: 'var(--accent)' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent)', textDecoration: 'underline' },
  { tag: tags.invalid, color: 'var(--danger)' },
])
