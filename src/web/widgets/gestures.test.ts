import { describe, expect, it } from 'bun:test'
import { type GestureState, NO_GESTURE, type PointerInput, nextGesture } from './gestures.ts'
import type { Frame } from './zoom.ts'

const frame: Frame = { stage: { width: 800, height: 600 }, image: { width: 800, height: 600 } }

describe('gestures on an image', () => {
  it('zoom 1x, 2x, 4x, 1x with double taps, but not with slow ones', () => {
    const twice = play([tap(0), tap(200)])
    expect(twice.hands.zoom.scale).toBe(2)
    const four = play([tap(1000), tap(1200)], twice.hands)
    expect(four.hands.zoom.scale).toBe(4)
    expect(play([tap(2000), tap(2299)], four.hands).hands.zoom).toEqual({ scale: 1, x: 0, y: 0 })
    expect(play([tap(0), tap(300)]).hands.zoom.scale).toBe(1)
  })

  it('zoom with two fingers, between a quarter and four', () => {
    const pinch = (to: number) => [down(1, -50, 0, 0), down(2, 50, 0, 0), move(1, -to, 0, 10), move(2, to, 0, 20)]
    expect(play(pinch(100)).hands.zoom.scale).toBe(2)
    expect(play(pinch(500)).hands.zoom.scale).toBe(4)
    expect(play(pinch(1)).hands.zoom.scale).toBe(0.25)
  })

  it('do not drag for 200 ms after a pinch', () => {
    const pinched = play([down(1, -50, 0, 0), down(2, 50, 0, 0), move(1, -100, 0, 10), move(2, 100, 0, 20), up(2, 100, 0, 30)])
    const { hands } = play([move(1, -60, 0, 100)], pinched.hands)
    expect(hands.zoom).toEqual(pinched.hands.zoom)
    expect(play([move(1, -40, 0, 240)], hands).hands.zoom.x).toBe(pinched.hands.zoom.x + 20)
  })

  it('are neither tap nor swipe after two fingers', () => {
    const { hands, swiped } = play([down(1, 0, 0, 0), down(2, 9, 0, 1), up(2, 9, 0, 900), up(1, 200, 0, 901)])
    expect({ swiped, lastTap: hands.lastTap, fingers: hands.fingers.size }).toEqual({ swiped: null, lastTap: null, fingers: 0 })
  })

  it('swipe sideways at 1x, with a finger only', () => {
    expect(play([down(1, 0, 0, 0), up(1, -80, 30, 200)]).swiped).toBe('left')
    expect(play([down(1, 0, 0, 0), up(1, 80, 30, 200)]).swiped).toBe('right')
    expect(play([down(1, 0, 0, 0), up(1, 80, 90, 200)]).swiped).toBeNull()
    expect(play([down(1, 0, 0, 0), { ...up(1, 80, 0, 200), finger: false }]).swiped).toBeNull()
    expect(play([down(1, 0, 0, 0), up(1, 80, 0, 200)], { ...NO_GESTURE, zoom: { scale: 2, x: 0, y: 0 } }).swiped).toBeNull()
  })

  it('change nothing if cancelled', () => {
    const { hands, swiped } = play([down(1, 0, 0, 0), { ...up(1, 200, 0, 10), kind: 'cancel' }])
    expect({ swiped, zoom: hands.zoom, fingers: hands.fingers.size }).toEqual({ swiped: null, zoom: NO_GESTURE.zoom, fingers: 0 })
  })
})

function play(touches: readonly (PointerInput | PointerInput[])[], from: GestureState = NO_GESTURE) {
  let last: ReturnType<typeof nextGesture> = { hands: from, swiped: null }
  for (const one of touches.flat()) last = nextGesture(last.hands, one, frame)
  return last
}

function down(id: number, x: number, y: number, timeMs: number): PointerInput {
  return { kind: 'down', id, at: { x, y }, timeMs, finger: true }
}

function move(id: number, x: number, y: number, timeMs: number): PointerInput {
  return { ...down(id, x, y, timeMs), kind: 'move' }
}

function up(id: number, x: number, y: number, timeMs: number): PointerInput {
  return { ...down(id, x, y, timeMs), kind: 'up' }
}

function tap(timeMs: number): PointerInput[] {
  return [down(1, 0, 0, timeMs), up(1, 0, 0, timeMs)]
}
