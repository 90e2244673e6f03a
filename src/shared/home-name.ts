/** A folder name for a username, cleaned as the predecessor did; null if nothing is left. */
export function homeName(username: string): string | null {
  const name = username
    .trim()
    .replaceAll('..', '')
    .replace(/[^0-9A-Za-z@_.-]/gu, '-')
    .replace(/-+/g, '-')
  return ['', '-', '.'].includes(name) ? null : name
}
