import { render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it, mock } from 'bun:test'
import { Checkbox, CheckboxInput } from './checkbox.tsx'

withDocument()

describe('a checkbox', () => {
  it('is chosen by its words and by the space bar', async () => {
    const onChecked = mock()
    render(<Checkbox label="Remember me" checked={false} onChecked={onChecked} />)
    await userEvent.click(screen.getByText('Remember me'))
    await userEvent.keyboard(' ')
    expect(onChecked.mock.calls).toEqual([[true], [true]])
  })

  it('may stand for some but not all', () => {
    const { rerender } = render(<CheckboxInput aria-label="All" mixed checked={false} onChange={mock()} />)
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'All' })
    expect(box.indeterminate).toBe(true)
    rerender(<CheckboxInput aria-label="All" checked onChange={mock()} />)
    expect([box.indeterminate, box.checked]).toEqual([false, true])
  })
})
