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
  let isPointedAt = false
  const ended = new AbortController()
  const place = () => {
    // Nothing moves away from the keyboard, or from a pointer that went to it. One that rests where a notice appeared did not.
    if (!isPointedAt && !notices.matches(':focus-within')) moveClear(notices)
  }
  const look = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(place)
  }
  // The rows of a listing change with every frame in which it scrolls, and are no reason to look.
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ target }) => target instanceof Element && target.closest('[role=grid]') === null)) look()
  })
  observer.observe(document.body, CHANGES)
  const options = { capture: true, passive: true, signal: ended.signal }
  for (const move of MOVES) addEventListener(move, look, options)
  // Browsers send this event, without movement, when something appears under a pointer that rests.
  const onMove = ({ movementX, movementY }: PointerEvent) => {
    if (movementX !== 0 || movementY !== 0) isPointedAt = true
  }
  const onLeave = () => {
    isPointedAt = false
    look()
  }
  notices.addEventListener('pointermove', onMove, options)
  notices.addEventListener('pointerleave', onLeave, { signal: ended.signal })
  place()
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    ended.abort()
  }
}

function moveClear(notices: HTMLElement): void {
  notices.style.transform = ''
  const { dx, dy } = placeNotices({
    home: notices.getBoundingClientRect(),
    window: { width: innerWidth, height: innerHeight },
    actions: actionsBeside(notices),
  })
  notices.style.transform = dx === 0 && dy === 0 ? '' : `translate(${dx}px, ${-dy}px)`
}

/** Where a dialog is open, only what is in it, and its title; the rows of a listing scroll clear of everything. */
function actionsBeside(notices: HTMLElement): DOMRect[] {
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog], dialog[open]')]
  const dialog = dialogs.at(-1)
  const found = dialog?.querySelectorAll(`${ACTIONS}, h2`) ?? document.body.querySelectorAll(ACTIONS)
  return [...found]
    .filter(
      (action) =>
        !notices.contains(action) && action.closest('[data-item]') === null && action.checkVisibility({ visibilityProperty: true }),
    )
    .map((action) => action.getBoundingClientRect())
    .filter(({ width, height }) => width > 1 && height > 1)
}
