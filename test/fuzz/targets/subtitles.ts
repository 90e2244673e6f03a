import { assToVtt, srtToVtt } from '../../../src/server/files/subtitles.ts'
import { must, split, type Target, textOf } from '../target.ts'

const CLOCK = String.raw`(\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3})`
const TIMES = new RegExp(`^${CLOCK} --> ${CLOCK}$`)

/** An even first byte: SubRip; an odd one: SubStation Alpha. What comes out is WebVTT as the specification's parser takes it. */
export const target: Target = {
  seeds: [
    '\u0000 1\n00:00:01,000 --> 00:00:02,500\n<i>Hi</i> & <b>you\n\n2\n1:02 --> 1:03.5\n{\\an8}a<br/>b',
    '\u0001[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,{\\i1}a{\\i0}\\Nb, c{\\p1}m 0 0{\\p0}',
    '\u0001[Events]\r\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\b1\\u1}x --> y & <z>',
    '\u0000\uFEFF99:59 -> 99:59:59\n-->\n&lt;&nbsp;<c.x>',
  ],
  words: ['Dialogue:', 'Format:', '[Events]', '{\\p1}', '\\N', '\\h', '-->', '--&gt;', '<v ', '</i>', '&amp;', '\r', '\0', '\u2028'],
  holds(bytes) {
    const { picks, rest } = split(bytes, 1)
    const vtt = ((picks[0] ?? 0) % 2 === 0 ? srtToVtt : assToVtt)(textOf(rest))
    const [first, ...blocks] = vtt.split(/\n\n/)
    must(first?.trim() === 'WEBVTT', 'it does not begin as WebVTT')
    for (const block of blocks) {
      if (block === '') continue
      const [head = '', ...lines] = block.trimEnd().split('\n')
      const times = TIMES.exec(head)
      must(times !== null, 'a block has no times')
      const [from, to] = [seconds(times.slice(1, 5)), seconds(times.slice(5, 9))]
      must(from < to, 'a cue ends before it begins')
      must(lines.length > 0 && lines.every((line) => line.trim() !== '' && !line.includes('-->')), 'a cue is empty, or looks like another')
      const text = lines.join('\n')
      must(!/[\0\r]/.test(text) && !/<(?!\/?[biu]>)/.test(text), 'a cue holds other than plain tags')
      must(!/&(?!(?:amp|lt|gt|lrm|rlm|nbsp);)/.test(text), 'a cue holds an unknown reference')
    }
  },
}

function seconds([hours, minutes, whole, thousandths]: readonly string[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(whole) + Number(thousandths) / 1000
}
