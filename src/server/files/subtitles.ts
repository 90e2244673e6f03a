/** Longer subtitles do not exist; reading one needs a few times its size in memory (GHSA-448h-jr2h-3vhp). */
export const MAX_SUBTITLE_BYTES = 5 * 1024 * 1024

interface Cue {
  /** Milliseconds. */
  start: number
  end: number
  text: string
}

/** SubRip as WebVTT. Invalid blocks are left out. */
export function srtToVtt(srt: string): string {
  const cues: Cue[] = []
  let cue: Cue | null = null
  for (const line of linesOf(srt)) {
    const times = srtTimes(line)
    if (times !== null) {
      if (cue !== null) cue.text = cue.text.replace(/\n\d+\s*$/, '')
      cue = { ...times, text: '' }
      cues.push(cue)
    } else if (cue !== null) cue.text += `\n${line}`
  }
  return vtt(cues.map(({ text, ...times }) => ({ ...times, text: srtText(text) })))
}

/** SubStation Alpha as WebVTT: the text with italics, bold and underline, sorted by time; positions and effects are left out. */
export function assToVtt(ass: string): string {
  const cues: Cue[] = []
  let columns = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text']
  let inEvents = false
  for (const line of linesOf(ass)) {
    if (line.startsWith('[')) inEvents = line.trim().toLowerCase() === '[events]'
    if (!inEvents) continue
    if (/^format:/i.test(line))
      columns = line
        .slice(7)
        .split(',')
        .map((name) => name.trim().toLowerCase())
    if (!/^dialogue:/i.test(line)) continue
    const fields = splitInto(line.slice(9), columns.length)
    const field = (name: string) => fields[columns.indexOf(name)] ?? ''
    const start = assTime(field('start'))
    const end = assTime(field('end'))
    if (start !== null && end !== null) cues.push({ start, end, text: assText(field('text')) })
  }
  return vtt(cues.sort((a, b) => a.start - b.start))
}

function vtt(cues: readonly Cue[]): string {
  const blocks = cues
    .filter(({ start, end, text }) => end > start && text !== '')
    .map(({ start, end, text }) => `${clock(start)} --> ${clock(end)}\n${text}\n`)
  return ['WEBVTT\n', ...blocks].join('\n')
}

function clock(ms: number): string {
  const pad = (value: number, length: number) => String(Math.floor(value)).padStart(length, '0')
  return `${pad(ms / 3_600_000, 2)}:${pad((ms / 60_000) % 60, 2)}:${pad((ms / 1000) % 60, 2)}.${pad(ms % 1000, 3)}`
}

function linesOf(text: string): string[] {
  return text.replaceAll('\0', '').split(/\r\n|\r|\n/)
}

const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`
const SRT_TIMES = new RegExp(String.raw`^\s*${TIME}\s*-{1,2}>\s*${TIME}(?:\s|$)`)

function srtTimes(line: string): { start: number; end: number } | null {
  const parts = line.length > 200 || !line.includes('>') ? null : SRT_TIMES.exec(line)
  return parts === null ? null : { start: milliseconds(parts.slice(1, 5)), end: milliseconds(parts.slice(5, 9)) }
}

function assTime(text: string): number | null {
  const parts = /^\s*(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[.:](\d{1,3}))?\s*$/.exec(text)
  return parts === null ? null : milliseconds(parts.slice(1, 5))
}

function milliseconds([hours, minutes, seconds, fraction = '0']: (string | undefined)[]): number {
  return Number(hours ?? 0) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(fraction.padEnd(3, '0'))
}

/** `<br>` is a line break; tags that WebVTT shares are kept, others removed; a block ends with an empty line. */
function srtText(text: string): string {
  const plain = text.replace(/<br\s{0,9}\/?>/gi, '\n').replace(/\{\\[^{}]{0,99}\}/g, '')
  return tidy(plain.replace(/<[^<>]{0,999}>/g, (tag) => (/^<\/?[biu]>$/i.test(tag) ? tag.toLowerCase() : '')))
}

function assText(text: string): string {
  let drawing = false
  let open = ''
  const out = text.replace(/\{([^{}]{0,999})\}|([^{]+|\{)/g, (_, tags: string | undefined, words: string | undefined) => {
    if (tags === undefined) return drawing ? '' : (words ?? '').replace(/[<>]/g, (char) => (char === '<' ? '&lt;' : '&gt;'))
    let markup = ''
    for (const [, name = '', value = ''] of tags.matchAll(/\\([a-z]+)(\d*)/gi)) {
      if (name === 'p') drawing = value !== '0' && value !== ''
      if (!/^[biu]$/.test(name)) continue
      const on = value !== '' && value !== '0'
      if (on && !open.includes(name)) {
        open += name
        markup += `<${name}>`
      } else if (!on && open.includes(name)) {
        open = open.replace(name, '')
        markup += `</${name}>`
      }
    }
    return markup
  })
  const closing = [...open].reverse().map((name) => `</${name}>`)
  return tidy(out.replace(/\\n/gi, '\n').replaceAll(String.raw`\h`, '\u00a0') + closing.join(''))
}

/** Removes what would end a cue, or be read as a cue timing or an unknown character reference. */
function tidy(text: string): string {
  const safe = /[<>&]/.test(text)
    ? text
        .replaceAll('-->', '--\u203a')
        .replace(/<(?!\/?[biu]>)/g, '&lt;')
        .replace(/&(?!(?:amp|lt|gt|lrm|rlm|nbsp);)/g, '&amp;')
    : text
  return safe
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** At most `count` pieces between commas; the last keeps its commas. */
function splitInto(text: string, count: number): string[] {
  const pieces = text.split(',')
  return pieces.length <= count ? pieces : [...pieces.slice(0, count - 1), pieces.slice(count - 1).join(',')]
}
