import type { ITheme } from '@xterm/xterm'

const TOKENS = {
  background: '--sunken',
  foreground: '--text',
  cursor: '--accent',
  cursorAccent: '--sunken',
  selectionBackground: '--selection',
  scrollbarSliderBackground: '--border',
  scrollbarSliderHoverBackground: '--border-strong',
  scrollbarSliderActiveBackground: '--border-strong',
  black: '--canvas',
  red: '--danger',
  green: '--success',
  yellow: '--warning',
  blue: '--info',
  magenta: '--type-image',
  cyan: '--accent',
  white: '--text',
  brightBlack: '--text-3',
  brightRed: '--danger-hover',
  brightGreen: '--success',
  brightYellow: '--warning',
  brightBlue: '--info',
  brightMagenta: '--type-image',
  brightCyan: '--accent-hover',
  brightWhite: '--text',
} satisfies Partial<Record<keyof ITheme, string>>

/** The terminal theme with the resolved colours of the current page theme. */
export function currentTheme(): ITheme {
  const probe = document.createElement('span')
  probe.hidden = true
  document.body.append(probe)
  const theme = Object.fromEntries(
    Object.entries(TOKENS).map(([name, token]) => {
      probe.style.color = `var(${token})`
      return [name, getComputedStyle(probe).color]
    }),
  )
  probe.remove()
  return theme
}
