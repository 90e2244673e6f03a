import { fireEvent, render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it } from 'bun:test'
import { useRef, useState } from 'react'
import { parseFilePath } from '../../shared/file-path.ts'
import { useSortable } from './use-sortable.ts'

withDocument()

function List() {
  const [paths, setPaths] = useState(() => ['/a', '/b', '/c'].map(parseFilePath))
  const list = useRef<HTMLUListElement>(null)
  const sortable = useSortable(list, { paths, onOrder: (order) => setPaths([...order]) })
  return (
    <>
      <ul ref={list} {...sortable.handlers}>
        {sortable.paths.map((path) => (
          <li key={path} data-order={path} onPointerDown={(event) => sortable.grab(event, path)}>
            <button>{path}</button>
          </li>
        ))}
      </ul>
      <p role="status">{sortable.announcement}</p>
    </>
  )
}

const order = () => screen.getAllByRole('button').map(({ textContent }) => textContent)

describe('a list that can be sorted', () => {
  it('moves an entry by Alt and an arrow, keeps the focus on it and says where it is', async () => {
    render(<List />)
    await userEvent.click(screen.getByRole('button', { name: '/a' }))
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect([order(), document.activeElement?.textContent]).toEqual([['/b', '/a', '/c'], '/a'])
    expect(screen.getByRole('status').textContent).toBe('a moved to position 2 of 3')
    await userEvent.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}')
    expect(order()).toEqual(['/a', '/b', '/c'])
  })

  it('leaves arrows without Alt to the page', async () => {
    render(<List />)
    await userEvent.click(screen.getByRole('button', { name: '/a' }))
    await userEvent.keyboard('{ArrowDown}')
    expect(order()).toEqual(['/a', '/b', '/c'])
  })

  it('does not take a press that hardly moves for a drag', () => {
    render(<List />)
    const [list, first] = [screen.getByRole('list'), screen.getByRole('button', { name: '/a' })]
    list.setPointerCapture = () => undefined
    fireEvent.pointerDown(first, { button: 0, pointerType: 'mouse', pointerId: 1, clientY: 0 })
    fireEvent.pointerMove(list, { clientY: 4, buttons: 1 })
    fireEvent.pointerUp(list)
    expect(order()).toEqual(['/a', '/b', '/c'])
  })
})
