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

  it('about running work cannot be closed, and an error stays', () => {
    const { container, rerender } = render(<Toast tone="working" text="Copying" closesAfterMs={null} closeLabel="Close" onClose={mock()} />)
    expect(screen.queryByRole('button')).toBeNull()
    rerender(<Toast tone="error" text="Failed" closesAfterMs={null} closeLabel="Close" onClose={mock()} />)
    expect(screen.getByRole('button', { name: 'Close' })).toBeTruthy()
    expect(container.querySelector('[style*=ms]')).toBeNull()
  })
})
