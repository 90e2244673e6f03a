import { render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it, mock } from 'bun:test'
import { TextField } from './text-field.tsx'

withDocument()

/** What a screen reader says after the name of the field. */
function descriptionOf(field: HTMLElement): string | undefined {
  return document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
}

describe('a text field', () => {
  it('is found by its label and described by its hint, its error or its good news', () => {
    const { rerender } = render(<TextField label="Name" hint="up to 20" value="" onValue={mock()} />)
    const field = screen.getByRole('textbox', { name: 'Name' })
    expect([descriptionOf(field), field.getAttribute('aria-invalid')]).toEqual(['up to 20', null])
    rerender(<TextField label="Name" hint="up to 20" error="taken" value="" onValue={mock()} />)
    expect([descriptionOf(field), field.getAttribute('aria-invalid')]).toEqual(['taken', 'true'])
    rerender(<TextField label="Name" hint="up to 20" success="free" value="" onValue={mock()} />)
    expect([descriptionOf(field), field.getAttribute('aria-invalid')]).toEqual(['free', null])
  })

  it('looks wrong or right, never both: an error wins', () => {
    const toneOf = () => document.querySelector('[data-part=text-field]')?.getAttribute('data-tone') ?? null
    const { rerender } = render(<TextField label="Name" value="" onValue={mock()} />)
    expect(toneOf()).toBeNull()
    rerender(<TextField label="Name" tone="success" error="taken" value="" onValue={mock()} />)
    expect(toneOf()).toBe('error')
    rerender(<TextField label="Name" success="free" value="" onValue={mock()} />)
    expect(toneOf()).toBe('success')
  })

  it('takes its direction from what is typed, and the page’s while it is empty', async () => {
    const onValue = mock()
    const { rerender } = render(<TextField label="Name" value="" onValue={onValue} />)
    const field = screen.getByRole('textbox', { name: 'Name' })
    expect(field.getAttribute('dir')).toBeNull()
    await userEvent.type(field, 'x')
    expect(onValue.mock.calls).toEqual([['x']])
    rerender(<TextField label="Name" value="x" onValue={onValue} />)
    expect(field.getAttribute('dir')).toBe('auto')
  })
})
