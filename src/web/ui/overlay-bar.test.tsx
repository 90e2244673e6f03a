import { render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it, mock } from 'bun:test'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { OverlayBar } from './overlay-bar.tsx'
import { bufferTyping } from './typing-buffer.ts'

withDocument()

function Bar({ onClose = () => undefined }: { onClose?: () => void }) {
  const [value, setValue] = useState('')
  return (
    <OverlayBar
      label="Search"
      value={value}
      onValue={setValue}
      icon={Search}
      clearLabel="Clear"
      onClear={() => setValue('')}
      closeLabel="Close"
      closeKey="Esc"
      onClose={onClose}
    />
  )
}

describe('the bar of an overlay', () => {
  it('clears what is typed first, and closes when there is nothing', async () => {
    const onClose = mock()
    render(<Bar onClose={onClose} />)
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Search' })
    await userEvent.type(field, 'tax')
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
    expect([field.value, onClose.mock.calls.length]).toEqual(['', 0])
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  it('begins with what was typed before it was there', async () => {
    bufferTyping()
    await userEvent.keyboard('tax{Backspace}')
    render(<Bar />)
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Search' }).value).toBe('ta')
  })
})
