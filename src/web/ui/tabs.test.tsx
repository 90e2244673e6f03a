import { hasFocus, render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it } from 'bun:test'
import { useState } from 'react'
import { Tabs } from './tabs.tsx'

withDocument()

function Three() {
  const [selected, setSelected] = useState<'one' | 'two' | 'three'>('one')
  const tabs = (['one', 'two', 'three'] as const).map((id) => ({ id, label: id }))
  return (
    <Tabs label="Numbers" tabs={tabs} selected={selected} onSelect={setSelected}>
      content of {selected}
    </Tabs>
  )
}

describe('tabs', () => {
  it('are one stop of the keyboard; arrows, Home and End choose and move the focus', async () => {
    const user = userEvent.setup()
    render(<Three />)
    await user.tab()
    expect(hasFocus(screen.getByRole('tab', { name: 'one' }))).toBe(true)
    await user.keyboard('{ArrowRight}')
    expect(hasFocus(screen.getByRole('tab', { name: 'two', selected: true }))).toBe(true)
    expect(screen.getByRole('tabpanel').textContent).toBe('content of two')
    await user.keyboard('{End}')
    expect(hasFocus(screen.getByRole('tab', { name: 'three', selected: true }))).toBe(true)
    await user.keyboard('{ArrowRight}')
    expect(hasFocus(screen.getByRole('tab', { name: 'one', selected: true }))).toBe(true)
  })
})
