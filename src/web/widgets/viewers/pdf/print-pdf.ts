/** How long the browser may read what it prints; its dialog does not say when it is done with it. */
const KEEP_MS = 10 * 60_000

/** Prints a PDF by the browser's own viewer, in a frame that nobody sees. */
export function printPdf(address: string): void {
  const frame = document.createElement('iframe')
  frame.className = 'sr-only'
  frame.tabIndex = -1
  frame.ariaHidden = 'true'
  frame.src = address
  frame.addEventListener('load', () => frame.contentWindow?.print(), { once: true })
  document.body.append(frame)
  setTimeout(() => frame.remove(), KEEP_MS)
}
