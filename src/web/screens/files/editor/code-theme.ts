import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The editor in the tokens of the product, so that branding and both themes reach it. */
export const codeTheme = EditorView.theme({
  '&': { blockSize: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: 'var(--code-size, 14px)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--accent)', paddingBlock: '12px' },
  '.cm-cursor, .cm-dropCursor': { borderInlineStartColor: 'var(--accent)', borderInlineStartWidth: '2px' },
  '.cm-gutters': { color: 'var(--text-3)', backgroundColor: 'var(--surface)', border: 'none', paddingInlineStart: '8px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--hover) 70%, transparent)' },
  '.cm-activeLineGutter': { color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warning-soft)', outline: '1px solid var(--warning)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--selection)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--canvas)', borderBlockEnd: '1px solid var(--border)' },
  '.cm-panel.cm-search': { padding: '8px 40px 8px 12px', font: 'var(--text-small)' },
  '.cm-textfield': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--border-strong)',
    borderRadius: '6px',
    padding: '4px 8px',
  },
  '.cm-button': {
    color: 'var(--text)',
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--border-strong)',
    borderRadius: '6px',
    padding: '3px 10px',
  },
  '.cm-foldPlaceholder': { color: 'var(--text-2)', backgroundColor: 'var(--sunken)', border: 'none', paddingInline: '6px' },
})

/** Few colours, all of them the type colours, which hold their contrast on both surfaces. */
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
