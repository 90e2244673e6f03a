import { render, screen, userEvent, waitFor, withDocument } from '../test-dom.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { describe, expect, it, mock } from 'bun:test'
import { AppError } from '../../shared/errors.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { useNewPassword } from './new-password.ts'

withDocument()

function Form({ save, onSaved }: { save: (password: string) => Promise<boolean>; onSaved: () => void }) {
  const form = useNewPassword({ minimumLength: 8, save, onSaved })
  return (
    <>
      <NewPasswordFields username="ann" form={form} />
      <button onClick={form.submit}>Change</button>
    </>
  )
}

function show(save: (password: string) => Promise<boolean>) {
  const onSaved = mock()
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Form save={save} onSaved={onSaved} />
    </QueryClientProvider>,
  )
  const [first, second] = [screen.getByLabelText<HTMLInputElement>('New password'), screen.getByLabelText('Confirm the new password')]
  const type = async (one: string, other: string) => {
    await userEvent.type(first, one)
    await userEvent.type(second, other)
    await userEvent.click(screen.getByRole('button', { name: 'Change' }))
  }
  return { type, onSaved, first }
}

/** The text that a screen reader reads after the label. */
function describedBy(field: Element): string {
  return document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
}

/** How the boxes are drawn. */
function looksOf(): string[] {
  return [...document.querySelectorAll('[data-part=text-field]')].map((box) => box.getAttribute('data-tone') ?? '')
}

describe('a new password', () => {
  it('is saved when both fields say the same, and is forgotten then', async () => {
    const save = mock((_password: string) => Promise.resolve(true))
    const { type, onSaved, first } = show(save)
    await type('correct horse', 'correct horse')
    await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1))
    expect([save.mock.calls.map(([password]) => password), first.value]).toEqual([['correct horse'], ''])
  })

  it('is not sent while the fields differ or are empty, which is said', async () => {
    const save = mock(() => Promise.resolve(true))
    const { type } = show(save)
    await userEvent.click(screen.getByRole('button', { name: 'Change' }))
    expect(screen.getByText('Enter a password.')).toBeTruthy()
    await type('correct horse', 'battery')
    expect(screen.getByText('Passwords don’t match')).toBeTruthy()
    expect(save).not.toHaveBeenCalled()
  })

  it('tells the rule before anything is typed, and the fields are described by it', () => {
    const { first } = show(() => Promise.resolve(true))
    expect(describedBy(first)).toBe('At least 8 characters')
    expect(first.getAttribute('aria-invalid')).toBeNull()
  })

  it('that is too short is not sent, says so at its field, and looks wrong and not right', async () => {
    const save = mock(() => Promise.resolve(true))
    const { type, first } = show(save)
    await type('short', 'short')
    expect([describedBy(first), first.getAttribute('aria-invalid')]).toEqual(['Use at least 8 characters', 'true'])
    expect(looksOf()).toEqual(['error', ''])
    expect(screen.queryByText('Passwords match')).toBeNull()
    expect(save).not.toHaveBeenCalled()
    await userEvent.type(first, 'er words')
    await userEvent.type(screen.getByLabelText('Confirm the new password'), 'er words')
    expect(looksOf()).toEqual(['success', 'success'])
    expect(describedBy(first)).toBe('At least 8 characters')
  })

  it('that the server refused does not look right', async () => {
    const { type } = show(() => Promise.reject(new AppError('invalid-input', { issues: ['password: too-common'] })))
    await type('password', 'password')
    await waitFor(() => expect(looksOf()).toEqual(['error', '']))
  })

  it('shows at its field why the server refused it, until it is changed', async () => {
    const { type, onSaved, first } = show(() => Promise.reject(new AppError('invalid-input', { issues: ['password: too-common'] })))
    await type('password', 'password')
    await waitFor(() => expect(first.getAttribute('aria-invalid')).toBe('true'))
    await userEvent.type(first, '1')
    expect(first.getAttribute('aria-invalid')).toBeNull()
    expect(onSaved).not.toHaveBeenCalled()
  })

  it('stays typed when the user cancels', async () => {
    const { type, onSaved, first } = show(() => Promise.resolve(false))
    await type('correct horse', 'correct horse')
    expect([first.value, onSaved.mock.calls.length]).toEqual(['correct horse', 0])
  })
})
