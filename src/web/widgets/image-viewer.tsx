import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { RESIZE_DEBOUNCE_MS } from '../../shared/limits.ts'
import { Spinner } from '../ui/spinner.tsx'
import { NO_GESTURE, nextGesture, type PointerInput } from './gestures.ts'
import styles from './image-viewer.module.css'
import { FITTED, type Frame, pan, type Point, step, wheel, type Zoom } from './zoom.ts'

export interface ImageViewerProps {
  src: string
  name: string
  /** Swipe to the previous or next file, by reading direction. */
  onSwipe: (to: 'previous' | 'next') => void
  /** The browser cannot decode it. */
  onBroken: () => void
  /** It has loaded. */
  onShown?: ((image: HTMLImageElement) => void) | undefined
}

/**
 * Image viewer: wheel, pinch, + and − zoom, drag pans, a double click or tap cycles 1x, 2x, 4x; at 1x a swipe goes to the next file. A resize keeps
 * the zoom and clamps the position.
 */
export function ImageViewer({ src, name, onSwipe, onBroken, onShown }: ImageViewerProps) {
  const stage = useRef<HTMLDivElement>(null)
  const image = useRef<HTMLImageElement>(null)
  const gesture = useRef(NO_GESTURE)
  const [zoom, setZoom] = useState(FITTED)
  const [state, setState] = useState<'loading' | 'shown'>('loading')

  // React's wheel listener is passive, but this one must prevent scrolling.
  useEffect(() => {
    const element = stage.current
    if (element === null) return
    const control = new AbortController()
    const { signal } = control
    const zoomed = (change: (zoom: Zoom) => Zoom) => {
      gesture.current = { ...gesture.current, zoom: change(gesture.current.zoom) }
      setZoom(gesture.current.zoom)
    }
    const frame = () => frameOf(element, image.current)
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      zoomed((now) => wheel(now, event.deltaY, fromMiddle(element, event), frame()))
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      if (event.key === '+' || event.key === '=') zoomed((now) => step(now, 1, frame()))
      else if (event.key === '-' || event.key === '_') zoomed((now) => step(now, -1, frame()))
      else if (event.key === '0') zoomed(() => FITTED)
    }
    element.addEventListener('wheel', onWheel, { passive: false, signal })
    addEventListener('keydown', onKey, { signal })
    let timer = 0
    const sizes = new ResizeObserver(() => {
      clearTimeout(timer)
      timer = window.setTimeout(() => zoomed((now) => pan(now, { x: 0, y: 0 }, frame())), RESIZE_DEBOUNCE_MS)
    })
    sizes.observe(element)
    return () => {
      control.abort()
      sizes.disconnect()
      clearTimeout(timer)
    }
  }, [])

  const handle = (kind: PointerInput['kind']) => (event: PointerEvent<HTMLDivElement>) => {
    const element = event.currentTarget
    if (kind === 'down') {
      if (event.button !== 0) return
      element.setPointerCapture(event.pointerId)
    }
    const one = {
      kind,
      id: event.pointerId,
      at: fromMiddle(element, event),
      timeMs: event.timeStamp,
      finger: event.pointerType === 'touch',
    }
    const { hands: next, swiped } = nextGesture(gesture.current, one, frameOf(element, image.current))
    gesture.current = next
    setZoom(next.zoom)
    if (swiped !== null) onSwipe((swiped === 'right') === (getComputedStyle(element).direction === 'rtl') ? 'next' : 'previous')
  }
  return (
    <div
      ref={stage}
      className={styles.stage}
      data-zoomed={zoom.scale > 1 || undefined}
      onPointerDown={handle('down')}
      onPointerMove={handle('move')}
      onPointerUp={handle('up')}
      onPointerCancel={handle('cancel')}
    >
      {state === 'loading' && <Spinner size={32} />}
      <img
        ref={image}
        className={styles.image}
        src={src}
        alt={name}
        draggable={false}
        data-state={state}
        style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}
        onLoad={(event) => {
          setState('shown')
          onShown?.(event.currentTarget)
        }}
        onError={onBroken}
      />
    </div>
  )
}

function frameOf(stage: HTMLElement, image: HTMLElement | null): Frame {
  return {
    stage: { width: stage.clientWidth, height: stage.clientHeight },
    image: { width: image?.offsetWidth ?? 0, height: image?.offsetHeight ?? 0 },
  }
}

function fromMiddle(stage: HTMLElement, at: { clientX: number; clientY: number }): Point {
  const box = stage.getBoundingClientRect()
  return { x: at.clientX - box.left - box.width / 2, y: at.clientY - box.top - box.height / 2 }
}

/** Whether keys belong to a dialog, menu or field. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog], [role=menu], input, textarea, [contenteditable]') !== null
}
