/** Milliseconds: from the year 1 to the end of 9999. */
const FIRST_MS = -62_135_596_800_000
const LAST_MS = 253_402_300_799_999

/** When the uploaded file was last changed, milliseconds since 1970, as its client says; undefined where it says nothing that can be understood. */
export function modifiedOf(stamp: string): number | undefined {
  const text = textOf(stamp, 'lastmodified')
  const time = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return time >= FIRST_MS && time <= LAST_MS ? time : undefined
}

/**
 * What a client says of its file under a key, in whatever case; empty where it says nothing.
 * @param stamp Upload-Metadata of tus 1.0.0: pairs of a key and a value in base64, with commas between them
 */
export function textOf(stamp: string, key: string): string {
  for (const pair of stamp.split(',')) {
    const [name, value = ''] = pair.trim().split(' ', 2)
    if (name?.toLowerCase() === key) return Buffer.from(value, 'base64').toString('utf8')
  }
  return ''
}
