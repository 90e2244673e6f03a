/** A name as the predecessor cleaned it for a folder; null when nothing is left of it. */
export function homeName(username: string): string | null {
  const name = username
    .trim()
    .replaceAll('..', '')
    .replace(/[^0-9A-Za-z@_.-]/gu, '-')
    .replace(/-+/g, '-')
  return ['', '-', '.'].includes(name) ? null : name
}
