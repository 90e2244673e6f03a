import { fireEvent, render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it, mock } from 'bun:test'
import { useItemPointer } from './use-item-pointer.ts'

withDocument()

const LISTING = { names: ['a', 'b'], order: new Uint32Array([0, 1]) }

function show({ singleClick = false, chosen = [] as readonly number[] } = {}) {
  const calls: unknown[] = []
  const selection = {
    multiple: false,
    has: (index: number) => chosen.includes(index),
    click: (index: number, keys: object) => calls.push(['click', index, keys]),
    only: (index: number) => calls.push(['only', index]),
    toggle: (index: number) => calls.push(['toggle', index]),
    clear: () => calls.push(['clear']),
    focusOn: (index: number) => calls.push(['focus', index]),
    setMultiple: (on: boolean) => calls.push(['multiple', on]),
  }
  const [onOpen, onMenu] = [mock(), mock()]
  function Items() {
    return (
      <div data-testid="list" {...useItemPointer({ listing: LISTING, selection, singleClick, onOpen, onMenu })}>
        {LISTING.names.map((name, at) => (
          <div key={name} data-item={at} tabIndex={-1}>
            {name}
          </div>
        ))}
      </div>
    )
  }
  render(<Items />)
  return { calls, onOpen, onMenu, user: userEvent.setup() }
}

describe('the pointer on an item', () => {
  it('chooses with a click and opens with two', async () => {
    const { calls, onOpen, user } = show()
    await user.click(screen.getByText('a'))
    expect([calls, onOpen.mock.calls]).toEqual([[['click', 0, { add: false, range: false }]], []])
    expect(document.activeElement?.textContent).toBe('a')
    await user.click(screen.getByText('a'))
    expect(onOpen.mock.calls).toEqual([[0]])
  })

  it('does not take clicks on two items for a double click', async () => {
    const { onOpen, user } = show()
    await user.click(screen.getByText('a'))
    await user.click(screen.getByText('b'))
    expect(onOpen).not.toHaveBeenCalled()
  })

  it('opens with one click where the user wants that, and still chooses with Ctrl', async () => {
    const { calls, onOpen, user } = show({ singleClick: true })
    await user.click(screen.getByText('a'))
    await user.keyboard('{Control>}')
    await user.click(screen.getByText('b'))
    expect([onOpen.mock.calls, calls]).toEqual([[[0]], [['click', 1, { add: true, range: false }]]])
  })

  it('chooses nothing beside the items', async () => {
    const { calls, user } = show()
    await user.click(screen.getByTestId('list'))
    expect(calls).toEqual([['clear']])
  })

  it('opens the menu of the selection on a chosen item, and of the item alone elsewhere', () => {
    const { calls, onMenu } = show({ chosen: [0] })
    fireEvent.contextMenu(screen.getByText('a'), { clientX: 3, clientY: 4 })
    fireEvent.contextMenu(screen.getByText('b'), { clientX: 5, clientY: 6 })
    expect(calls).toEqual([
      ['focus', 0],
      ['only', 1],
    ])
    expect(onMenu.mock.calls).toEqual([[{ x: 3, y: 4 }], [{ x: 5, y: 6 }]])
  })

  it('on a touch screen opens with a tap, and chooses several after a long press', async () => {
    const { calls, onOpen } = show()
    const item = screen.getByText('a')
    fireEvent.pointerDown(item, { pointerType: 'touch', isPrimary: true })
    fireEvent.pointerUp(item, { pointerType: 'touch' })
    fireEvent.click(item)
    expect(onOpen.mock.calls).toEqual([[0]])
    fireEvent.pointerDown(item, { pointerType: 'touch', isPrimary: true })
    await new Promise((resolve) => setTimeout(resolve, 600))
    fireEvent.click(item)
    expect([calls, onOpen.mock.calls.length]).toEqual([
      [
        ['multiple', true],
        ['toggle', 0],
      ],
      1,
    ])
  })
})
