import { describe, expect, it } from 'bun:test'
import { type Box, positionNotices } from './notice-position.ts'

const window = { width: 1280, height: 800 }
const anchor = box(880, 720, 1260, 780)

describe('U4: notices', () => {
  it('stay in their corner if it is free', () => {
    expect(positionNotices({ anchor, window, controls: [box(20, 20, 60, 60)] })).toEqual({ dx: 0, dy: 0 })
  })

  it('move above the button of a form', () => {
    const save = box(1100, 740, 1240, 780)
    const { dx, dy } = positionNotices({ anchor, window, controls: [save] })
    expect(dx).toBe(0)
    expect(anchor.bottom - dy).toBeLessThan(save.top)
  })

  it('move to the other side if the whole column is interactive', () => {
    const column = Array.from({ length: 40 }, (_, at) => box(900, at * 20, 1250, at * 20 + 19))
    const { dx, dy } = positionNotices({ anchor, window, controls: column })
    expect(dx).toBeLessThan(0)
    expect(dy).toBe(0)
  })

  it('cover as little as possible if everything is interactive', () => {
    const rows = Array.from({ length: 40 }, (_, at) => box(0, at * 20, 1280, at * 20 + 19))
    const free = rows.slice(0, 20)
    const { dy } = positionNotices({ anchor, window, controls: [...rows, ...free] })
    expect(anchor.top - dy).toBeGreaterThan(400)
  })
})

function box(left: number, top: number, right: number, bottom: number): Box {
  return { left, top, right, bottom }
}
