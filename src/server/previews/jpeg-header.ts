import type { Peek } from './peek.ts'

export interface Candidate {
  readonly start: number
  readonly end: number
  /** Pixels of the longer side. */
  readonly longer: number
}

const MOST_SEGMENTS = 64
/** Baseline, extended and progressive: what browsers and decoders can show. Raw sensor data are lossless (0xc3). */
const SHOWN = new Set([0xc0, 0xc1, 0xc2])

/** Width and height of the JPEG that begins at `start`; null if it is not one, or of a kind that cannot be shown (ITU T.81, annex B). */
export async function dimensionsOf(peek: Peek, start: number, end: number): Promise<[width: number, height: number] | null> {
  const [ff, soi] = await peek(start, 2)
  if (ff !== 0xff || soi !== 0xd8) return null
  for (let at = start + 2, segments = 0; at + 9 <= end && segments < MOST_SEGMENTS; segments++) {
    const bytes = await peek(at, 9)
    const [mark, kind = 0, high = 0, low = 0, , height1 = 0, height0 = 0, width1 = 0, width0 = 0] = bytes
    if (bytes.length < 9 || mark !== 0xff) return null
    if (SHOWN.has(kind)) return [width1 * 256 + width0, height1 * 256 + height0]
    const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc
    if (isFrame || kind === 0xda || kind === 0xd9) return null
    at += kind === 0xff ? 1 : 2 + high * 256 + low
  }
  return null
}
