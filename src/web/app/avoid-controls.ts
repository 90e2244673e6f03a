import { positionNotices } from './notice-position.ts'

const ACTIONS = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=slider], [role=menuitem]'
/** Mutations that can show, hide or move controls. */
const CHANGES: MutationObserverInit = { subtree: true, childList: true, attributeFilter: ['class', 'hidden', 'open'] }
/** Events after which controls can have moved. Some do not bubble, so all are captured. */
const MOVES = ['resize', 'scroll', 'animationend', 'transitionend'] as const

/**
 * Moves the notices so that they cover no control. Checks again in every frame in which the page has changed, before it is painted.
 * @returns stops it
 */
export function avoidControls(notices: HTMLElement): () => void {
  let frame = 0
  let isPointedAt = false
  const ended = new AbortController()
  const place = () => {
    // Do not move notices that have focus or that the pointer has moved to; a resting pointer under a new notice does not count.
    if (!isPointedAt && !notices.matches(':focus-within')) moveAway(notices)
  }
  const look = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(place)
  }
  // Virtualised rows change in every frame while scrolling; ignore them.
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ target }) => target instanceof Element && target.closest('[role=grid]') === null)) look()
  })
  observer.observe(document.body, CHANGES)
  const options = { capture: true, passive: true, signal: ended.signal }
  for (const move of MOVES) addEventListener(move, look, options)
  // Browsers also send this event, without movement, when an element appears under a resting pointer.
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

function moveAway(notices: HTMLElement): void {
  notices.style.transform = ''
  const { dx, dy } = positionNotices({
    anchor: notices.getBoundingClientRect(),
    window: { width: innerWidth, height: innerHeight },
    controls: controlsBeside(notices),
  })
  notices.style.transform = dx === 0 && dy === 0 ? '' : `translate(${dx}px, ${-dy}px)`
}

/**
 * Controls that notices must not cover. While a dialog is open: its title and its controls only. Listing rows are ignored, because they can be
 * scrolled.
 */
function controlsBeside(notices: HTMLElement): DOMRect[] {
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
