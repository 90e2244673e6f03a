import { hasFocus, render, screen, userEvent, waitFor, withDocument } from '../test-dom.ts'
import { describe, expect, it, mock } from 'bun:test'
import type { MenuEntry } from './menu-entry.ts'
import { Menu } from './menu.tsx'

withDocument()

function show() {
  const chosen = mock()
  const action = (id: string, more = {}): MenuEntry => ({ kind: 'action', id, label: id, onSelect: () => chosen(id), ...more })
  const entries = [action('Copy'), action('Move'), { kind: 'separator', id: '-' } as const, action('Sorted', { checked: true })]
  render(<Menu label="Actions" entries={entries} trigger={(props) => <button {...props}>More</button>} />)
  return { chosen, user: userEvent.setup(), trigger: screen.getByRole('button', { name: 'More' }) }
}

const focused = () => document.activeElement?.textContent

describe('a menu', () => {
  it('opens with an arrow key, moves by arrows, chooses by Enter and gives the focus back', async () => {
    const { chosen, user, trigger } = show()
    await user.tab()
    await user.keyboard('{ArrowDown}')
    await screen.findByRole('menu', { name: 'Actions' })
    expect(trigger.getAttribute('aria-expanded')).toBe('true')
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(focused()).toBe('Copy'))
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(focused()).toBe('Move'))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(chosen.mock.calls).toEqual([['Move']]))
    expect(screen.queryByRole('menu')).toBeNull()
    expect(hasFocus(trigger)).toBe(true)
  })

  it('closes by Escape and chooses nothing', async () => {
    const { chosen, user, trigger } = show()
    await user.click(trigger)
    await screen.findByRole('menu')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(chosen).not.toHaveBeenCalled()
  })

  it('says which choice is taken', async () => {
    const { user, trigger } = show()
    await user.click(trigger)
    expect((await screen.findByRole('menuitemcheckbox', { name: 'Sorted' })).getAttribute('aria-checked')).toBe('true')
  })
})
