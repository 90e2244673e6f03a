/** Where a key leads in a list of rows, each a link and perhaps buttons beside it; `field` is the way up and out, null no way at all. */
export function stepFrom(
  list: HTMLElement,
  active: Element | null,
  { key, rtl }: { key: string; rtl: boolean },
): HTMLElement | 'field' | null {
  const rows = [...list.children]
  const row = rows.findIndex((one) => one.contains(active))
  const inRow = [...(rows[row]?.querySelectorAll<HTMLElement>('a, button') ?? [])]
  const place = inRow.findIndex((one) => one === active)
  const linkAt = (at: number): HTMLElement | null => rows[at]?.querySelector('a') ?? null
  switch (key) {
    case 'ArrowDown':
      return linkAt(Math.min(row + 1, rows.length - 1))
    case 'ArrowUp':
      return row <= 0 ? 'field' : linkAt(row - 1)
    case 'Home':
      return linkAt(0)
    case 'End':
      return linkAt(rows.length - 1)
    case 'ArrowRight':
      return inRow[place + (rtl ? -1 : 1)] ?? null
    case 'ArrowLeft':
      return inRow[place + (rtl ? 1 : -1)] ?? null
    default:
      return null
  }
}
