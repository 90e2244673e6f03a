/**
 * Where a key leads in a list of lines, each a link and perhaps a box and buttons beside it: up and down from link to link, sideways within the line. `field`
 * is the way up and out, null no way at all.
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
  // Of a box or a button the link that it stands beside.
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
