import { highlightTree } from '@lezer/highlight'
import { codeHighlight, languageOf } from './code-colours.ts'

/** A run of text in one colour; without a class, the default colour. */
export interface HighlightedText {
  readonly text: string
  readonly className: string
}

/** Longer read-only texts are not highlighted. */
export const MAX_HIGHLIGHTED_CHARS = 200_000

let isMounted = false

/** Highlights a text with the editor's colours; null if the language is unknown or the text is too long. */
export async function highlight(text: string, name: string): Promise<readonly HighlightedText[] | null> {
  const language = languageOf(name)
  if (language === null || text.length > MAX_HIGHLIGHTED_CHARS) return null
  const { parser } = (await language.load()).language
  mount()
  const pieces: HighlightedText[] = []
  let at = 0
  const add = (from: number, to: number, className: string) => {
    if (to > from) pieces.push({ text: text.slice(from, to), className })
    at = to
  }
  highlightTree(parser.parse(text), codeHighlight, (from, to, className) => {
    add(at, from, '')
    add(from, to, className)
  })
  add(at, text.length, '')
  return pieces
}

/** Mounts the style rules, which the editor does by itself. */
function mount(): void {
  if (isMounted) return
  isMounted = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(codeHighlight.module?.getRules() ?? '')
  document.adoptedStyleSheets.push(sheet)
}
