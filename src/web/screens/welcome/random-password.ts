/** Without signs that look alike, so that it can be read out. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP = 4

/** A password such as `k7fm-…`: 79 bits. */
export function randomPassword(): string {
  const signs: string[] = []
  while (signs.length < GROUPS * GROUP) {
    for (const byte of crypto.getRandomValues(new Uint8Array(GROUPS * GROUP))) {
      // Every sign is as likely as the others.
      if (byte < SIGNS.length * Math.floor(256 / SIGNS.length)) signs.push(SIGNS[byte % SIGNS.length] ?? '')
    }
  }
  return Array.from({ length: GROUPS }, (_, group) => signs.slice(group * GROUP, (group + 1) * GROUP).join('')).join('-')
}
