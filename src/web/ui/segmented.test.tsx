import { hasFocus, render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it } from 'bun:test'
import { useState } from 'react'
import { Segmented } from './segmented.tsx'

withDocument()

function Views() {
  const [view, setView] = useState<'list' | 'tiles'>('list')
  return (
    <Segmented
      label="View"
      value={view}
      options={[
        { value: 'list', label: 'List', icon: <svg /> },
        { value: 'tiles', label: 'Tiles' },
      ]}
      onValue={setView}
    />
  )
}

describe('a segmented control', () => {
  it('is a group of which one is chosen, also by arrow keys', async () => {
    render(<Views />)
    expect(screen.getByRole('radiogroup', { name: 'View' })).toBeTruthy()
    await userEvent.tab()
    expect(hasFocus(screen.getByRole('radio', { name: 'List', checked: true }))).toBe(true)
    await userEvent.keyboard('{ArrowRight}')
    expect(hasFocus(screen.getByRole('radio', { name: 'Tiles', checked: true }))).toBe(true)
    expect(screen.getByRole('radio', { name: 'List', checked: false })).toBeTruthy()
  })
})
