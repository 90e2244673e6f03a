import { render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it } from 'bun:test'
import { useState } from 'react'
import { PasswordField } from './password-field.tsx'

withDocument()

function Password() {
  const [value, setValue] = useState('')
  return <PasswordField label="Password" value={value} onValue={setValue} />
}

describe('a password field', () => {
  it('hides what is typed until it is told to show it', async () => {
    const user = userEvent.setup()
    render(<Password />)
    const field = screen.getByLabelText<HTMLInputElement>('Password')
    await user.type(field, 'secret')
    expect([field.type, field.value]).toEqual(['password', 'secret'])
    await user.click(screen.getByRole('button', { name: 'Show the password' }))
    expect(field.type).toBe('text')
    await user.click(screen.getByRole('button', { name: 'Hide the password' }))
    expect(field.type).toBe('password')
  })

  it('says that Caps Lock is on, until the field is left', async () => {
    const user = userEvent.setup()
    render(<Password />)
    await user.click(screen.getByLabelText('Password'))
    await user.keyboard('{CapsLock}a')
    expect(screen.getByText('Caps Lock is on')).toBeTruthy()
    await user.tab()
    expect(screen.queryByText('Caps Lock is on')).toBeNull()
  })
})
