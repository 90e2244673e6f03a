import { fireEvent, render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it, mock } from 'bun:test'
import { Toast } from './toast.tsx'

withDocument()

describe('a toast', () => {
  it('closes by its button, or when its time is over', async () => {
    const onClose = mock()
    const { container } = render(<Toast tone="success" text="Saved" closesAfterMs={1000} closeLabel="Close" onClose={onClose} />)
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(onClose).toHaveBeenCalledTimes(1)
    const clock = container.querySelector('[style*="1000ms"]')
    if (clock === null) throw new Error('shows no time')
    fireEvent.animationEnd(clock)
    expect(onClose).toHaveBeenCalledTimes(2)
  })

  it('people-attack3-5: with something to press waits until the person goes on elsewhere', () => {
    const { container } = render(
      <Toast
        tone="success"
        text="Renamed"
        closesAfterMs={1000}
        waits
        closeLabel="Close"
        onClose={mock()}
        actions={<button>Undo</button>}
      />,
    )
    const isPaused = () => container.querySelector('[style*="1000ms"][style*=paused]') !== null
    expect(isPaused()).toBe(true)
    fireEvent.keyDown(document.body, { key: 'Tab' })
    fireEvent.keyDown(screen.getByRole('button', { name: 'Undo' }), { key: 'ArrowUp' })
    fireEvent.pointerDown(screen.getByText('Renamed'))
    expect(isPaused()).toBe(true)
    fireEvent.pointerDown(document.body)
    expect(isPaused()).toBe(false)
  })

  it('about running work cannot be closed, and an error stays', () => {
    const { container, rerender } = render(<Toast tone="working" text="Copying" closesAfterMs={null} closeLabel="Close" onClose={mock()} />)
    expect(screen.queryByRole('button')).toBeNull()
    rerender(<Toast tone="error" text="Failed" closesAfterMs={null} closeLabel="Close" onClose={mock()} />)
    expect(screen.getByRole('button', { name: 'Close' })).toBeTruthy()
    expect(container.querySelector('[style*=ms]')).toBeNull()
  })
})
