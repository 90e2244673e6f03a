import { hasFocus, render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it, mock } from 'bun:test'
import { useState } from 'react'
import { DialogContext } from './dialog-context.ts'
import { Dialog, type DialogProps } from './dialog.tsx'

withDocument()

/** A button that opens the dialog, as the page does. */
function Opener(props: Partial<DialogProps>) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      <DialogContext value={{ open, onGone: () => undefined }}>
        <Dialog
          title="Rename"
          onDismiss={() => setOpen(false)}
          actions={
            <>
              <button type="button">Cancel</button>
              <button type="submit">Save</button>
            </>
          }
          {...props}
        >
          <input aria-label="First" />
          <input aria-label="Name" data-autofocus />
          <p>Words</p>
        </Dialog>
      </DialogContext>
    </>
  )
}

describe('a dialog', () => {
  it('moves the focus to the field that wants it, and back to where it was', async () => {
    const user = userEvent.setup()
    render(<Opener />)
    await user.click(screen.getByRole('button', { name: 'Open' }))
    expect(screen.getByRole('dialog', { name: 'Rename' })).toBeTruthy()
    expect(hasFocus(screen.getByRole('textbox', { name: 'Name' }))).toBe(true)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(hasFocus(screen.getByRole('button', { name: 'Open' }))).toBe(true)
  })

  it('is submitted by Enter in a field, and not while it is busy', async () => {
    const user = userEvent.setup()
    const onSubmit = mock()
    const { rerender } = render(<Opener onSubmit={onSubmit} />)
    await user.click(screen.getByRole('button', { name: 'Open' }))
    await user.keyboard('new name{Enter}')
    expect(onSubmit).toHaveBeenCalledTimes(1)
    rerender(<Opener onSubmit={onSubmit} busy />)
    await user.keyboard('{Enter}')
    expect(onSubmit).toHaveBeenCalledTimes(1)
  })

  it('stays while it is busy, whatever is pressed', async () => {
    const user = userEvent.setup()
    render(<Opener busy />)
    await user.click(screen.getByRole('button', { name: 'Open' }))
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog', { name: 'Rename' })).toBeTruthy()
  })
})
