import { hasFocus, render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it, mock } from 'bun:test'
import { Button } from './button.tsx'

withDocument()

describe('a button', () => {
  it('ignores clicks while it is busy, and says that it is', async () => {
    const onClick = mock()
    const { rerender } = render(<Button label="Save" onClick={onClick} />)
    const button = screen.getByRole('button', { name: 'Save' })
    await userEvent.click(button)
    rerender(<Button label="Save" busy onClick={onClick} />)
    await userEvent.click(button)
    expect(onClick).toHaveBeenCalledTimes(1)
    expect(button.getAttribute('aria-busy')).toBe('true')
  })

  it('that is not available can be reached by keyboard, says why, and submits no form', async () => {
    const onSubmit = mock((event: Event) => event.preventDefault())
    render(
      <form onSubmit={(event) => onSubmit(event.nativeEvent)}>
        <Button label="Save" type="submit" disabledReason="Nothing has changed" />
      </form>,
    )
    await userEvent.tab()
    const button = screen.getByRole('button', { name: 'Save' })
    expect(hasFocus(button)).toBe(true)
    expect(button.getAttribute('aria-description')).toBe('Nothing has changed')
    await userEvent.keyboard('{Enter}')
    expect(onSubmit).not.toHaveBeenCalled()
  })
})
