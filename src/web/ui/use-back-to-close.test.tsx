import { act, render, screen, withDocument } from '../test-dom.ts'
import { afterEach, describe, expect, it } from 'bun:test'
import { useState } from 'react'
import { Dialog } from './dialog.tsx'
import { Menu } from './menu.tsx'
import { openLayers } from './use-back-to-close.ts'

withDocument()
afterEach(() => expect(openLayers.count()).toBe(0))

/** A dialog over a page, with a second one over it. */
function Dialogs({ busy = false }: { busy?: boolean }) {
  const [open, setOpen] = useState(['one', 'two'])
  return open.map((name) => (
    <Dialog key={name} title={name} busy={busy} onDismiss={() => setOpen((before) => before.filter((other) => other !== name))} />
  ))
}

const back = () => act(async () => openLayers.closeAbove(openLayers.count() - 1))
const titles = () => screen.queryAllByRole('dialog', { hidden: true }).map((dialog) => dialog.getAttribute('aria-labelledby') !== null)

describe('Back', () => {
  it('closes dialogs, the topmost first', async () => {
    render(<Dialogs />)
    expect([openLayers.count(), titles().length]).toEqual([2, 2])
    await back()
    expect(screen.queryByText('two')).toBeNull()
    expect(screen.getByText('one')).toBeTruthy()
    await back()
    expect([openLayers.count(), titles().length]).toEqual([0, 0])
  })

  it('does not close a dialog that is busy', async () => {
    const { unmount } = render(<Dialogs busy />)
    await back()
    expect(openLayers.count()).toBe(2)
    unmount()
  })

  it('closes a menu', async () => {
    render(<Menu label="Actions" entries={[]} trigger={(props) => <button {...props}>Open</button>} />)
    await act(async () => screen.getByText('Open').click())
    await act(() => import('./menu-popup.tsx'))
    expect(openLayers.count()).toBe(1)
    await back()
    expect([openLayers.count(), screen.getByText('Open').getAttribute('aria-expanded')]).toEqual([0, 'false'])
  })
})
