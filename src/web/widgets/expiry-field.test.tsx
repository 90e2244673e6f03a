import { fireEvent, hasFocus, render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it } from 'bun:test'
import { useState } from 'react'
import { ExpiryField } from './expiry-field.tsx'
import { dayAhead, type Expiry } from './expiry.ts'

withDocument()

function Field({ before }: { before?: number }) {
  const [expiry, setExpiry] = useState<Expiry>({ term: 'never', date: '' })
  return <ExpiryField expiry={expiry} onExpiry={setExpiry} tried before={before} />
}

describe('the expiry of a link', () => {
  it('starts with the focus on the choice, and says when the link ends', async () => {
    render(<Field />)
    expect(hasFocus(screen.getByRole('radio', { name: 'Never', checked: true }))).toBe(true)
    expect(screen.getByRole('status').textContent).toBe('Never expires')
    await userEvent.click(screen.getByRole('radio', { name: 'In 1 day' }))
    expect(screen.getByRole('status').textContent).not.toBe('Never expires')
  })

  it('proposes a date two weeks ahead, and refuses one that has passed', async () => {
    render(<Field />)
    await userEvent.click(screen.getByRole('radio', { name: 'On a date…' }))
    const day = screen.getByLabelText<HTMLInputElement>('Last day')
    expect(day.value).toBe(dayAhead(14, new Date()))
    fireEvent.change(day, { target: { value: '2020-01-01' } })
    expect(screen.getByText('Choose a date from today on.')).toBeTruthy()
    expect(screen.queryByText(/^Until/)).toBeNull()
  })

  it('can stay as it is only where there is an end', () => {
    const { unmount } = render(<Field />)
    const without = screen.getAllByRole('radio').length
    unmount()
    render(<Field before={4_000_000_000} />)
    expect(screen.getAllByRole('radio').length).toBe(without + 1)
  })
})
