import { hasFocus, render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it } from 'bun:test'
import { useState } from 'react'
import { useKeepFocus } from './use-keep-focus.ts'

withDocument()

/** Each button removes its own row. */
function List({ names }: { names: readonly string[] }) {
  const [left, setLeft] = useState(names)
  const held = useKeepFocus<HTMLUListElement>()
  return (
    <main tabIndex={-1}>
      <ul {...held}>
        {left.map((name) => (
          <li key={name}>
            <button onClick={() => setLeft(left.filter((one) => one !== name))}>{name}</button>
          </li>
        ))}
      </ul>
    </main>
  )
}

const focused = () => document.activeElement?.tagName === 'BUTTON' && document.activeElement.textContent

describe('when the row with the focus is removed, the focus', () => {
  it('goes to the next row, or to the last one', async () => {
    render(<List names={['a', 'b', 'c']} />)
    await userEvent.click(screen.getByRole('button', { name: 'b' }))
    expect(focused()).toBe('c')
    await userEvent.keyboard('{Enter}')
    expect(focused()).toBe('a')
  })

  it('goes to the page when no row is left', async () => {
    render(<List names={['a']} />)
    await userEvent.click(screen.getByRole('button', { name: 'a' }))
    expect(hasFocus(screen.getByRole('main'))).toBe(true)
  })
})
