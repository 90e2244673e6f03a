import { hasFocus, render, screen, userEvent, waitFor, withDocument } from '../test-dom.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { describe, expect, it, mock } from 'bun:test'
import { PasswordDialog } from './password-dialog.tsx'

withDocument()

function show(attempt: (password: string) => Promise<void>) {
  const [onDone, onDismiss] = [mock(), mock()]
  const texts = { title: 'Sign in again', text: '', label: 'Password', empty: 'Enter a password.', submit: 'Sign in', leave: 'Leave' }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PasswordDialog
        {...texts}
        username="ann"
        attempt={attempt}
        problemOf={() => 'Wrong password'}
        onDone={() => onDone()}
        onLeave={onDismiss}
        onDismiss={onDismiss}
      />
    </QueryClientProvider>,
  )
  return { onDone, onDismiss, field: screen.getByLabelText<HTMLInputElement>('Password') }
}

describe('the dialog for a password', () => {
  it('tries what is typed by Enter, and is done when it is right', async () => {
    const attempt = mock((_password: string) => Promise.resolve())
    const { onDone, field } = show(attempt)
    await waitFor(() => expect(hasFocus(field)).toBe(true))
    await userEvent.keyboard('secret{Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1))
    expect(attempt.mock.calls.map(([password]) => password)).toEqual(['secret'])
  })

  it('stays with a wrong one and says so, until it is changed', async () => {
    const { onDone, field } = show(() => Promise.reject(new Error()))
    await userEvent.type(field, 'wrong{Enter}')
    expect(await screen.findByText('Wrong password')).toBeTruthy()
    await userEvent.type(field, '1')
    expect(screen.queryByText('Wrong password')).toBeNull()
    expect(onDone).not.toHaveBeenCalled()
  })

  it('sends no empty one, and cannot be left while one is tried', async () => {
    const attempt = mock(() => new Promise<void>(() => undefined))
    const { onDismiss, field } = show(attempt)
    await userEvent.type(field, '{Enter}')
    expect([screen.getByText('Enter a password.').tagName, attempt.mock.calls.length]).toEqual(['SPAN', 0])
    await userEvent.keyboard('secret{Enter}{Escape}')
    await userEvent.click(screen.getByRole('button', { name: 'Leave' }))
    expect(onDismiss).not.toHaveBeenCalled()
  })
})
