import { describe, expect, it } from 'bun:test'
import { Selection } from './selection.ts'

describe('U1: a plain click among several selected', () => {
  it('selects only that one, even if it was selected', () => {
    const { selection, click } = listing(50)
    selection.all()
    click(7)
    expect([...selection.chosen()]).toEqual([7])
    expect(selection.anchor).toBe(7)
  })
})

describe('a click', () => {
  it('selects one and deselects the rest', () => {
    const { selection, click } = listing(5)
    click(1)
    click(3)
    expect([...selection.chosen()]).toEqual([3])
  })

  it('on the one selected entry deselects it', () => {
    const { selection, click } = listing(5)
    click(1)
    click(1)
    expect([...selection.chosen()]).toEqual([])
  })

  it('in multiple mode removes a selected entry', () => {
    const { selection, click } = listing(5)
    click(1)
    click(2, { add: true })
    selection.setMultiple(true)
    click(1)
    expect([...selection.chosen()]).toEqual([2])
  })

  it('with Ctrl removes a selected entry', () => {
    const { selection, click } = listing(5)
    selection.all()
    click(3, { add: true })
    expect([...selection.chosen()]).toEqual([0, 1, 2, 4])
  })

  it('with Ctrl adds', () => {
    const { selection, click } = listing(5)
    click(1)
    click(4, { add: true })
    expect([...selection.chosen()]).toEqual([1, 4])
  })

  it('with Shift selects from the first selected entry, not the last clicked one', () => {
    const { selection, click } = listing(9)
    click(2)
    click(6, { add: true })
    click(4, { range: true })
    expect([...selection.chosen()]).toEqual([2, 3, 4])
    click(0, { range: true })
    expect([...selection.chosen()]).toEqual([0, 1, 2])
  })

  it('with Shift on nothing selected selects one', () => {
    const { selection, click } = listing(5)
    click(3, { range: true })
    expect([...selection.chosen()]).toEqual([3])
  })

  it('with Shift follows the displayed order', () => {
    const { selection } = listing(5)
    const order = Uint32Array.of(4, 2, 0, 3, 1)
    selection.click(2, {}, order)
    selection.click(3, { range: true }, order)
    expect([...selection.chosen()]).toEqual([0, 2, 3])
  })

  it('in multiple mode adds and removes', () => {
    const { selection, click } = listing(5)
    selection.setMultiple(true)
    click(1)
    click(3)
    click(1)
    expect([...selection.chosen()]).toEqual([3])
  })
})

describe('a selection', () => {
  it('selects and clears a hundred thousand at once', () => {
    const { selection } = listing(100_000)
    selection.all()
    expect(selection.count).toBe(100_000)
    selection.clear()
    expect([...selection.chosen()]).toEqual([])
    expect(selection.anchor).toBeNull()
  })

  it('ends multiple mode when it is cleared', () => {
    const { selection } = listing(5)
    selection.setMultiple(true)
    selection.clear()
    expect(selection.multiple).toBe(false)
  })

  it('grows and shrinks with Shift and arrows around its start', () => {
    const { selection, order } = listing(9)
    selection.only(4)
    selection.extend(6, order)
    selection.extend(5, order)
    expect([...selection.chosen()]).toEqual([4, 5])
    selection.extend(3, order)
    expect([...selection.chosen()]).toEqual([3, 4])
  })

  it('begins a range at the focus when nothing is selected', () => {
    const { selection, order } = listing(9)
    selection.focusOn(2)
    selection.extend(3, order)
    expect([...selection.chosen()]).toEqual([2, 3])
  })

  it('keeps its entries in a new listing, except those that are gone', () => {
    const { selection, click } = listing(4)
    click(1)
    click(2, { add: true })
    selection.carryOver(6, (index) => (index === 1 ? null : index + 3))
    expect([...selection.chosen()]).toEqual([5])
    expect(selection.count).toBe(1)
    expect(selection.focus).toBe(5)
    expect(selection.anchor).toBe(5)
  })

  it('notifies a row only of its own changes', () => {
    const { selection, click } = listing(5)
    click(1)
    const before = [0, 1, 2].map((index) => selection.stateOf(index))
    click(2)
    const now = [0, 1, 2].map((index) => selection.stateOf(index))
    expect(now.map((state, index) => state !== before[index])).toEqual([false, true, true])
  })

  it('notifies subscribers of each change until they unsubscribe', () => {
    const { selection, click } = listing(5)
    let heard = 0
    const leave = selection.subscribe(() => heard++)
    click(1)
    leave()
    click(2)
    expect(heard).toBe(1)
  })
})

describe('visible entries', () => {
  it('are what "all" selects', () => {
    const { selection } = listing(5)
    selection.all(Uint32Array.of(3, 1))
    expect([...selection.chosen()]).toEqual([1, 3])
    expect(selection.anchor).toBe(3)
    selection.all(Uint32Array.of(4, 3, 2, 1, 0))
    expect(selection.count).toBe(5)
  })

  it('are the only ones that stay selected and focused', () => {
    const { selection, click } = listing(5)
    click(1)
    click(3, { add: true })
    selection.keep((index) => index !== 3)
    expect([[...selection.chosen()], selection.focus]).toEqual([[1], null])
    selection.setMultiple(true)
    selection.keep(() => false)
    expect([selection.count, selection.anchor, selection.multiple]).toEqual([0, null, false])
  })
})

it('can be replaced as a whole, keeping the focus', () => {
  const { selection, click } = listing(5)
  click(2)
  selection.replace([4, 0, 4])
  expect([[...selection.chosen()], selection.count, selection.anchor, selection.focus]).toEqual([[0, 4], 2, 4, 2])
})

function listing(count: number) {
  const selection = new Selection(count)
  const order = Uint32Array.from({ length: count }, (_, index) => index)
  return { selection, order, click: (index: number, keys = {}) => selection.click(index, keys, order) }
}
