import { describe, expect, it } from 'bun:test'
import { cycle, FITTED, type Frame, pan, scaleTo, step, wheel } from './zoom.ts'

const frame: Frame = { stage: { width: 800, height: 600 }, image: { width: 800, height: 400 } }
const middle = { x: 0, y: 0 }

describe('zooming an image', () => {
  it('cycles 1x, 2x, 4x, 1x with double clicks', () => {
    const twice = cycle(FITTED, middle, frame)
    const four = cycle(twice, middle, frame)
    expect([twice.scale, four.scale, cycle(four, middle, frame).scale]).toEqual([2, 4, 1])
  })

  it('steps by a quarter with the wheel, between 0.25 and 4', () => {
    expect(wheel(FITTED, -1, middle, frame).scale).toBe(1.25)
    expect(wheel(FITTED, 120, middle, frame).scale).toBe(0.75)
    expect(scaleTo(FITTED, 9, middle, frame).scale).toBe(4)
    expect(scaleTo(FITTED, 0, middle, frame).scale).toBe(0.25)
  })

  it('steps by a quarter with + and −, around the middle', () => {
    expect(step({ scale: 2, x: 100, y: 0 }, 1, frame)).toEqual({ scale: 2.25, x: 112.5, y: 0 })
    expect(step({ scale: 0.25, x: 0, y: 0 }, -1, frame).scale).toBe(0.25)
    expect(step({ scale: 4, x: 0, y: 0 }, 1, frame).scale).toBe(4)
  })

  it('stays within bounds when the window is resized', () => {
    const wide = { ...frame, stage: { width: 1600, height: 600 } }
    expect(pan({ scale: 2, x: 400, y: 50 }, { x: 0, y: 0 }, wide)).toEqual({ scale: 2, x: 0, y: 50 })
  })

  it('keeps the point under the pointer', () => {
    const around = { x: 100, y: 50 }
    const zoomed = scaleTo(FITTED, 2, around, frame)
    expect((around.x - zoomed.x) / zoomed.scale).toBe(around.x)
    expect((around.y - zoomed.y) / zoomed.scale).toBe(around.y)
  })

  it('limits dragging to the edges of a large image, and disables it for a small one', () => {
    expect(pan({ scale: 2, x: 0, y: 0 }, { x: 9999, y: -9999 }, frame)).toEqual({ scale: 2, x: 400, y: -100 })
    expect(pan(FITTED, { x: 50, y: 50 }, frame)).toEqual(FITTED)
  })
})
