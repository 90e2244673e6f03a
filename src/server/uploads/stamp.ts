/** Milliseconds: from the year 1 to the end of 9999. */
const FIRST_MS = -62_135_596_800_000
const LAST_MS = 253_402_300_799_999

/**
 * When the uploaded file was last changed, milliseconds since 1970, as its client says; undefined where it says nothing that can be understood.
 * @param stamp Upload-Metadata of tus 1.0.0: pairs of a key and a value in base64, with commas between them
 */
export function modifiedOf(stamp: string): number | undefined {
  for (const pair of stamp.split(',')) {
    const [key, value = ''] = pair.trim().split(' ', 2)
    if (key?.toLowerCase() !== 'lastmodified') continue
    const text = Buffer.from(value, 'base64').toString('latin1')
    const time = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return time >= FIRST_MS && time <= LAST_MS ? time : undefined
  }
  return undefined
}
