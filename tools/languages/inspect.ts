import { compileMessage } from '@lingui/message-utils/compileMessage'

/** Tells texts that are a message in English and none of the language. Messages that are all placeholder are everybody's. */
export function untranslated(english: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>): (text: string) => boolean {
  const theirs = anyOf(Object.entries(english).flatMap(([key, text]) => (own[key] === text ? [] : [text])))
  const ours = anyOf(Object.values(own))
  return (text) => theirs.test(text) && !ours.test(text)
}

function anyOf(messages: readonly string[]): RegExp {
  const all = messages.map(patternOf).filter((one) => /\p{L}{2}/u.test(one))
  return new RegExp(`^(?:${all.join('|')})$`, 'u')
}

/** What a message may look like, its placeholders filled in; nothing for one with cases. */
function patternOf(message: string): string {
  const parts = compileMessage(message)
  if (parts.some((part) => Array.isArray(part) && part.length > 1)) return ''
  return parts.map((part) => (typeof part === 'string' ? part.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`) : '.+')).join('')
}

/** In the page: texts that are shown or read out. */
export function wordsOf(): string[] {
  const shown = [...document.body.querySelectorAll('*')].filter(
    (element) => element.checkVisibility() && element.closest('bdi, .cm-content, code, kbd') === null,
  )
  const texts = shown.flatMap((element) => [
    ...[...element.childNodes].flatMap((node) =>
      node.nodeType === Node.TEXT_NODE && !element.matches('script, style') ? [node.nodeValue ?? ''] : [],
    ),
    ...['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
  ])
  return texts.map((text) => text.trim()).filter((text) => text !== '')
}

/**
 * In the page: what is wider than its room, texts that are cut off, and what runs from the wrong side. Names of files may be cut: they say so with
 * dots.
 */
export function flawsOf({ dir }: { dir: string }): string[] {
  const width = document.documentElement.clientWidth
  const scrolls = (element: Element): boolean => /auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX)
  const isContained = (element: Element): boolean => {
    for (let up = element.parentElement; up !== null && up !== document.body; up = up.parentElement) if (scrolls(up)) return true
    return false
  }
  const isSeen = (element: Element): boolean => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const isName = (element: Element): boolean => element.closest('bdi') !== null || element.querySelector('bdi') !== null
  const seen = [...document.body.querySelectorAll('*')].filter(
    (element) => isSeen(element) && element.closest('.sr-only, .xterm, svg, kbd') === null,
  )
  const outside = seen.filter((element) => {
    const { left, right, width: own } = element.getBoundingClientRect()
    return own > 1 && (left < -1 || right > width + 1) && (element.matches('[role=dialog], [role=menu]') || !isContained(element))
  })
  // What is a pixel wide is for those who listen.
  const overflows = (element: Element): boolean => element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
  const cut = seen.filter(
    (element) =>
      element.matches('button, a, label, h1, h2, [role=tab], [role=menuitem]') &&
      // Room to press that reaches beyond an icon is not drawn.
      (element.textContent ?? '').trim() !== '' &&
      overflows(element) &&
      getComputedStyle(element).textOverflow !== 'ellipsis' &&
      getComputedStyle(element).display !== 'inline',
  )
  const dotted = seen.filter((element) => overflows(element) && getComputedStyle(element).textOverflow === 'ellipsis' && !isName(element))
  const sheets = seen.filter((element) => element.matches('main, [role=dialog]') && overflows(element))
  const fields = seen.filter(
    (element) => element.matches('input[placeholder]') && element.getAttribute('placeholder') !== '' && overflows(element),
  )
  const ruler = document.createElement('canvas').getContext('2d')
  const chosen = [...document.querySelectorAll('select')].flatMap((select) => {
    const style = getComputedStyle(select)
    // Some are as wide as what is chosen.
    if (ruler === null || !isSeen(select) || style.getPropertyValue('field-sizing') === 'content') return []
    const { font, paddingInlineStart, paddingInlineEnd } = style
    ruler.font = font
    const room = select.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
    return [...select.options].filter(({ text }) => ruler.measureText(text).width > room + 1)
  })
  const letters = dir === 'rtl' ? /^[^\p{L}]*\p{Script=Arabic}/u : /^[^\p{L}]*\p{Script=Latin}/u
  const backwards = seen.filter((element) => {
    const text = [...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : '')).join('')
    const { direction, textAlign } = getComputedStyle(element)
    return letters.test(text) && !isName(element) && (direction !== dir || (dir === 'rtl' && textAlign === 'left'))
  })
  const say = (what: string) => (element: Element) =>
    `${what}: ${element.tagName.toLowerCase()} ${element.className} “${(element.textContent ?? '').slice(0, 60)}”`
  return [
    ...(document.documentElement.scrollWidth > width ? ['sticks out: the page'] : []),
    ...(document.documentElement.dir === dir ? [] : [`wrong direction: the page runs ${document.documentElement.dir}`]),
    ...[...outside, ...sheets].slice(0, 5).map(say('sticks out')),
    ...[...cut, ...dotted, ...fields, ...chosen].slice(0, 8).map(say('cut off')),
    ...backwards.slice(0, 5).map(say('wrong direction')),
  ]
}
