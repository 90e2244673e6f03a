/** Milliseconds: from the year 1 to the end of 9999. */
const FIRST_MS = -62_135_596_800_000
const LAST_MS = 253_402_300_799_999

/** The mtime of the uploaded file according to its client, in milliseconds since 1970; undefined if absent or invalid. */
export function modifiedOf(stamp: string): number | undefined {
  const text = textOf(stamp, 'lastmodified')
  const time = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return time >= FIRST_MS && time <= LAST_MS ? time : undefined
}

/**
 * A value of the client's metadata, with a case-insensitive key; empty if absent.
 * @param stamp Upload-Metadata of tus 1.0.0: pairs of a key and a base64 value, separated by commas
 */
export function textOf(stamp: string, key: string): string {
  for (const pair of stamp.split(',')) {
    const [name, value = ''] = pair.trim().split(' ', 2)
    if (name?.toLowerCase() === key) return Buffer.from(value, 'base64').toString('utf8')
  }
  return ''
}
