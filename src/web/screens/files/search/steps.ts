/**
 * Keyboard navigation in a list whose rows consist of a link and possibly a checkbox and buttons: Up and Down between links, Left and Right within
 * the row. Returns `field` to leave the list upwards, null to do nothing.
 */
export function stepFrom(
  list: HTMLElement,
  active: Element | null,
  { key, rtl }: { key: string; rtl: boolean },
): HTMLElement | 'field' | null {
  const links = [...list.querySelectorAll('a')]
  const line = active instanceof HTMLInputElement ? active.closest('label')?.parentElement : active?.parentElement
  const inLine = [...(line?.querySelectorAll<HTMLElement>('input, a, button') ?? [])]
  const place = inLine.findIndex((one) => one === active)
  // For a checkbox or button, the link of its row.
  const at = links.findIndex((link) => inLine.includes(link))
  switch (key) {
    case 'ArrowDown':
      return links[Math.min(at + 1, links.length - 1)] ?? null
    case 'ArrowUp':
      return at <= 0 ? 'field' : (links[at - 1] ?? null)
    case 'Home':
      return links[0] ?? null
    case 'End':
      return links.at(-1) ?? null
    case 'ArrowRight':
      return inLine[place + (rtl ? -1 : 1)] ?? null
    case 'ArrowLeft':
      return inLine[place + (rtl ? 1 : -1)] ?? null
    default:
      return null
  }
}
