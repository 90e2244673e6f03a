import { render, screen, userEvent, waitFor, withDocument } from '../test-dom.ts'
import { describe, expect, it } from 'bun:test'
import { CopyButton } from './copy-button.tsx'

withDocument()

describe('a button that copies', () => {
  it('says so for a moment once it has copied', async () => {
    render(<CopyButton label="Copy the link" copy={() => Promise.resolve(true)} />)
    await userEvent.click(screen.getByRole('button', { name: 'Copy the link' }))
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Copied'))
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(''))
    expect(screen.getByRole('button', { name: 'Copy the link' })).toBeTruthy()
  })

  it('says nothing when it could not copy', async () => {
    render(<CopyButton label="Copy the link" copy={() => Promise.resolve(false)} />)
    await userEvent.click(screen.getByRole('button'))
    await new Promise((resolve) => setTimeout(resolve))
    expect(screen.getByRole('status').textContent).toBe('')
  })
})
