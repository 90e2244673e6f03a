import { placeNotices } from './notice-place.ts'

const ACTIONS = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=slider], [role=menuitem]'
/** What brings, takes or hides them. */
const CHANGES: MutationObserverInit = { subtree: true, childList: true, attributeFilter: ['class', 'hidden', 'open'] }
/** What moves them. Some of these events do not bubble; all are caught on their way down. */
const MOVES = ['resize', 'scroll', 'animationend', 'transitionend'] as const

/**
 * Keeps the notices where they cover nothing that can be pressed: looks again in every frame in which the page has changed, before it is painted.
 * @returns the end of it
 */
export function keepClear(notices: HTMLElement): () => void {
  let frame = 0
  const look = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => place(notices))
  }
  // The rows of a listing change with every frame in which it scrolls, and are no reason to look.
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ target }) => target instanceof Element && target.closest('[role=grid]') === null)) look()
  })
  observer.observe(document.body, CHANGES)
  for (const move of MOVES) addEventListener(move, look, { capture: true, passive: true })
  place(notices)
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    for (const move of MOVES) removeEventListener(move, look, { capture: true })
  }
}

function place(notices: HTMLElement): void {
  // Nothing moves away from the pointer or the keyboard.
  if (notices.matches(':hover, :focus-within')) return
  notices.style.transform = ''
  const { dx, dy } = placeNotices({
    home: notices.getBoundingClientRect(),
    window: { width: innerWidth, height: innerHeight },
    actions: actionsBeside(notices),
  })
  notices.style.transform = dx === 0 && dy === 0 ? '' : `translate(${dx}px, ${-dy}px)`
}

/** Where a dialog is open, only what is in it; the rows of a listing scroll clear of everything. */
function actionsBeside(notices: HTMLElement): DOMRect[] {
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog], dialog[open]')]
  const within = dialogs.at(-1) ?? document.body
  return [...within.querySelectorAll(ACTIONS)]
    .filter(
      (action) =>
        !notices.contains(action) && action.closest('[data-item]') === null && action.checkVisibility({ visibilityProperty: true }),
    )
    .map((action) => action.getBoundingClientRect())
    .filter(({ width, height }) => width > 1 && height > 1)
}
