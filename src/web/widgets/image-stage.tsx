import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { DOUBLE_TAP_MS, PINCH_MOVE_DISABLE_MS } from '../../shared/limits.ts'
import { Spinner } from '../ui/spinner.tsx'
import styles from './image-stage.module.css'
import { cycle, FITTED, type Frame, pan, type Point, scaleTo, wheel } from './zoom.ts'

export interface ImageStageProps {
  src: string
  name: string
  onSwipe: (to: 'previous' | 'next') => void
  /** The browser cannot show it. */
  onBroken: () => void
}

/** One image: wheel and pinch zoom, drag pans, a double click or tap goes 1x, 2x, 4x, 1x; at 1x a swipe goes to the neighbour. */
export function ImageStage({ src, name, onSwipe, onBroken }: ImageStageProps) {
  const stage = useRef<HTMLDivElement>(null)
  const image = useRef<HTMLImageElement>(null)
  const [zoom, setZoom] = useState(FITTED)
  const [state, setState] = useState<'loading' | 'shown'>('loading')
  const pointers = useRef(new Map<number, Point>())
  const gesture = useRef({ startX: 0, startedAt: 0, lastTap: 0, pinchedAt: 0, distance: 0 })

  // React's wheel listener is passive; this one has to keep the page from scrolling.
  useEffect(() => {
    const element = stage.current
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const { frame, around } = measure(event)
      setZoom((now) => wheel(now, event.deltaY, around, frame))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [])

  function measure(at: { clientX: number; clientY: number }): { frame: Frame; around: Point } {
    const box = stage.current?.getBoundingClientRect() ?? new DOMRect()
    const frame = {
      stage: { width: box.width, height: box.height },
      image: { width: image.current?.offsetWidth ?? 0, height: image.current?.offsetHeight ?? 0 },
    }
    return { frame, around: { x: at.clientX - box.left - box.width / 2, y: at.clientY - box.top - box.height / 2 } }
  }

  const down = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    if (pointers.current.size === 1) Object.assign(gesture.current, { startX: event.clientX, startedAt: event.timeStamp })
    if (pointers.current.size === 2) gesture.current.distance = spread(pointers.current)
  }
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const last = pointers.current.get(event.pointerId)
    if (last === undefined) return
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const { frame, around } = measure(event)
    if (pointers.current.size === 2) {
      const distance = spread(pointers.current)
      const ratio = distance / gesture.current.distance
      Object.assign(gesture.current, { distance, pinchedAt: event.timeStamp })
      setZoom((now) => scaleTo(now, now.scale * ratio, around, frame))
    } else if (event.timeStamp - gesture.current.pinchedAt > PINCH_MOVE_DISABLE_MS) {
      setZoom((now) => pan(now, { x: event.clientX - last.x, y: event.clientY - last.y }, frame))
    }
  }
  const up = (event: PointerEvent<HTMLDivElement>) => {
    if (!pointers.current.delete(event.pointerId) || pointers.current.size > 0) return
    const { startX, lastTap, pinchedAt } = gesture.current
    const moved = event.clientX - startX
    if (event.timeStamp - pinchedAt < PINCH_MOVE_DISABLE_MS) return
    if (event.pointerType === 'touch' && zoom.scale === 1 && Math.abs(moved) > SWIPE_PX) onSwipe(moved > 0 ? 'previous' : 'next')
    if (Math.abs(moved) > 6) return
    if (event.timeStamp - lastTap < DOUBLE_TAP_MS) {
      const { frame, around } = measure(event)
      gesture.current.lastTap = 0
      setZoom((now) => cycle(now, around, frame))
    } else gesture.current.lastTap = event.timeStamp
  }
  return (
    <div
      ref={stage}
      className={styles.stage}
      data-zoomed={zoom.scale > 1 || undefined}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={(event) => pointers.current.delete(event.pointerId)}
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
        onLoad={() => setState('shown')}
        onError={onBroken}
      />
    </div>
  )
}

const SWIPE_PX = 60

function spread(points: ReadonlyMap<number, Point>): number {
  const [a, b] = [...points.values()]
  return a === undefined || b === undefined ? 1 : Math.max(1, Math.hypot(a.x - b.x, a.y - b.y))
}
