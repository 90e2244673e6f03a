/** A segment of terminal output. `classNames` is a space-separated list of CSS classes such as `red bold`. */
export type AnsiSegment =
  | { readonly kind: 'text'; readonly text: string; readonly look: string }
  | { readonly kind: 'line' }
  | { readonly kind: 'return' }

interface Style {
  colour: string
  background: string
  readonly attributes: Set<string>
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
const ATTRIBUTES: Record<number, string> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 7: 'inverse', 9: 'struck' }
/** The attributes that a code resets. */
const ENDS: Record<number, readonly string[]> = { 22: ['bold', 'dim'], 23: ['italic'], 24: ['underline'], 27: ['inverse'], 29: ['struck'] }

/** ECMA-48: a control sequence, a control string with its terminator, or a short escape sequence. */
const SEQUENCE = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-OQ-WYZ\\`-~])/y
const UNFINISHED = /^\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)$/
/** An unterminated sequence longer than this is treated as text. */
const LONGEST_SEQUENCE = 4096
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/**
 * Parses program output incrementally into text, line ends and SGR colours (ECMA-48 §8.3.117). Other sequences, such as cursor movement, are
 * dropped. A sequence may be split across chunks.
 */
export function createAnsiParser(): { take(text: string): AnsiSegment[] } {
  let rest = ''
  const style: Style = { colour: '', background: '', attributes: new Set() }

  return {
    take(text) {
      const all = rest + text
      const pieces: AnsiSegment[] = []
      rest = ''
      for (let at = 0; at < all.length;) {
        if (all[at] === '\u001b') {
          SEQUENCE.lastIndex = at
          const found = SEQUENCE.exec(all)
          const tail = found === null ? all.slice(at, at + LONGEST_SEQUENCE) : ''
          if (found === null && at + tail.length === all.length && tail.length < LONGEST_SEQUENCE && UNFINISHED.test(tail)) {
            rest = tail
            break
          }
          if (found?.[2] === 'm') restyle(style, found[1] ?? '')
          at += found?.[0].length ?? 1
          continue
        }
        // A trailing CR may be the first half of CRLF.
        if (all[at] === '\r' && at + 1 === all.length) {
          rest = '\r'
          break
        }
        if (all[at] === '\n' || all[at] === '\r') {
          const isLine = all[at] === '\n' || all[at + 1] === '\n'
          pieces.push({ kind: isLine ? 'line' : 'return' })
          at += all[at] === '\r' && isLine ? 2 : 1
          continue
        }
        const end = nextSpecial(all, at)
        const plain = all.slice(at, end).replace(CONTROLS, '')
        if (plain !== '') pieces.push({ kind: 'text', text: plain, look: classNamesOf(style) })
        at = end
      }
      return pieces
    },
  }
}

const SPECIAL = /[\u001b\r\n]/g

function nextSpecial(text: string, from: number): number {
  SPECIAL.lastIndex = from
  return SPECIAL.exec(text)?.index ?? text.length
}

function classNamesOf({ colour, background, attributes }: Style): string {
  return [colour, background === '' ? '' : `on-${background}`, ...attributes].filter((word) => word !== '').join(' ')
}

function restyle(style: Style, parameters: string): void {
  const codes = parameters.split(/[;:]/).map(Number)
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    const trait = ATTRIBUTES[code]
    const [colour] = colourOf(code % 10, codes, at)
    if (code === 0) reset(style)
    else if (trait !== undefined) style.attributes.add(trait)
    else if (code in ENDS) for (const ended of ENDS[code] ?? []) style.attributes.delete(ended)
    else if (isColour(code, 30) || isColour(code, 90)) style.colour = colour
    else if (isColour(code, 40) || isColour(code, 100)) style.background = colour
    if (code === 38 || code === 48) at = colourOf(8, codes, at)[1]
  }
}

function reset(style: Style): void {
  style.colour = ''
  style.background = ''
  style.attributes.clear()
}

/** Ten codes from a base: eight colours, one that introduces an extended colour, and the default colour. */
function isColour(code: number, base: number): boolean {
  return code >= base && code < base + 10 && !(base >= 90 && code > base + 7)
}

/** @returns the nearest colour that is readable in both themes, and the index of the last code that was read */
function colourOf(which: number, codes: readonly number[], at: number): [string, number] {
  if (which === 9) return ['', at]
  if (which !== 8) return [COLOURS[which] ?? '', at]
  const kind = codes[at + 1]
  if (kind === 5) return [fromPalette(codes[at + 2] ?? 0), at + 2]
  if (kind === 2) return [nearest(codes[at + 2] ?? 0, codes[at + 3] ?? 0, codes[at + 4] ?? 0), at + 4]
  return ['', at]
}

/** The 256-colour palette: 16 named colours, a 6×6×6 cube, and greys. */
function fromPalette(index: number): string {
  if (index < 16) return COLOURS[index % 8] ?? ''
  if (index >= 232) return nearest(index - 232, index - 232, index - 232)
  const cube = index - 16
  return nearest(Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6)
}

/** Chosen by hue only; the theme sets the lightness. */
function nearest(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue)
  if (most - Math.min(red, green, blue) < most / 4) return ''
  const bit = (part: number): number => (part > most * 0.6 ? 1 : 0)
  return COLOURS[bit(red) + 2 * bit(green) + 4 * bit(blue)] ?? ''
}
