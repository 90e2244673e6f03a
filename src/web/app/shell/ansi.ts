/** A piece of what a program said, ready to be shown. `look` is a list of words, each a class of the panel: `red bold`. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly look: string }
  | { readonly kind: 'line' }
  | { readonly kind: 'return' }

interface Style {
  colour: string
  ground: string
  readonly traits: Set<string>
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
const TRAITS: Record<number, string> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 7: 'inverse', 9: 'struck' }
/** Which traits a code takes away. */
const ENDS: Record<number, readonly string[]> = { 22: ['bold', 'dim'], 23: ['italic'], 24: ['underline'], 27: ['inverse'], 29: ['struck'] }

/** ECMA-48: a control sequence, a string up to its terminator, or a short escape. */
const SEQUENCE = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-OQ-WYZ\\`-~])/y
const UNFINISHED = /^\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)$/
/** What begins a sequence and does not end for so long is no sequence. */
const LONGEST_SEQUENCE = 4096
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/**
 * Reads a program's output as it comes: text, lines' ends, and the colours of SGR (ECMA-48 §8.3.117). All other sequences, such as moves of a
 * cursor that is not there, are taken out. A sequence may arrive in several parts.
 */
export function createAnsi(): { take(text: string): Piece[] } {
  let rest = ''
  const style: Style = { colour: '', ground: '', traits: new Set() }

  return {
    take(text) {
      const all = rest + text
      const pieces: Piece[] = []
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
        // A return at the very end may be the first half of a line's end.
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
        if (plain !== '') pieces.push({ kind: 'text', text: plain, look: lookOf(style) })
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

function lookOf({ colour, ground, traits }: Style): string {
  return [colour, ground === '' ? '' : `on-${ground}`, ...traits].filter((word) => word !== '').join(' ')
}

function restyle(style: Style, parameters: string): void {
  const codes = parameters.split(/[;:]/).map(Number)
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    const trait = TRAITS[code]
    const [colour] = colourOf(code % 10, codes, at)
    if (code === 0) reset(style)
    else if (trait !== undefined) style.traits.add(trait)
    else if (code in ENDS) for (const ended of ENDS[code] ?? []) style.traits.delete(ended)
    else if (isColour(code, 30) || isColour(code, 90)) style.colour = colour
    else if (isColour(code, 40) || isColour(code, 100)) style.ground = colour
    if (code === 38 || code === 48) at = colourOf(8, codes, at)[1]
  }
}

function reset(style: Style): void {
  style.colour = ''
  style.ground = ''
  style.traits.clear()
}

/** A base's ten codes: eight colours, one that says that numbers follow, and none. */
function isColour(code: number, base: number): boolean {
  return code >= base && code < base + 10 && !(base >= 90 && code > base + 7)
}

/** @returns the nearest colour that is readable in both themes, and the place of the last code that was read */
function colourOf(which: number, codes: readonly number[], at: number): [string, number] {
  if (which === 9) return ['', at]
  if (which !== 8) return [COLOURS[which] ?? '', at]
  const kind = codes[at + 1]
  if (kind === 5) return [fromPalette(codes[at + 2] ?? 0), at + 2]
  if (kind === 2) return [nearest(codes[at + 2] ?? 0, codes[at + 3] ?? 0, codes[at + 4] ?? 0), at + 4]
  return ['', at]
}

/** The usual 256: sixteen by name, a cube of six steps each way, and greys. */
function fromPalette(index: number): string {
  if (index < 16) return COLOURS[index % 8] ?? ''
  if (index >= 232) return nearest(index - 232, index - 232, index - 232)
  const cube = index - 16
  return nearest(Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6)
}

/** By hue alone: how light it may be is the theme's business. */
function nearest(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue)
  if (most - Math.min(red, green, blue) < most / 4) return ''
  const bit = (part: number): number => (part > most * 0.6 ? 1 : 0)
  return COLOURS[bit(red) + 2 * bit(green) + 4 * bit(blue)] ?? ''
}
