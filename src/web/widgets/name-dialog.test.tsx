import { hasFocus, render, screen, userEvent, waitFor, withDocument } from '../test-dom.ts'
import { describe, expect, it, mock } from 'bun:test'
import { NameDialog, type NameDialogProps } from './name-dialog.tsx'

withDocument()

function show(props: Partial<NameDialogProps> = {}) {
  const [onName, onDismiss] = [mock(), mock()]
  const taken = (name: string) => name === 'taken.txt'
  render(
    <NameDialog
      title="Rename"
      label="Name"
      submit="Save"
      initial="report.txt"
      taken={taken}
      onName={onName}
      onDismiss={onDismiss}
      {...props}
    />,
  )
  return { onName, onDismiss, field: screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }) }
}

describe('the dialog for a name', () => {
  it('selects the part that is to be replaced, and answers with the trimmed name', async () => {
    const { onName, field } = show({ chosen: 'report'.length })
    await waitFor(() => expect(hasFocus(field)).toBe(true))
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 6])
    await userEvent.clear(field)
    await userEvent.type(field, ' bill.txt {Enter}')
    expect(onName.mock.calls).toEqual([['bill.txt']])
  })

  it('says at once that a name is taken, and only when it is sent that there is none', async () => {
    const { onName, field } = show()
    await userEvent.clear(field)
    expect(screen.queryByText('Enter a name.')).toBeNull()
    await userEvent.keyboard('{Enter}')
    expect(screen.getByText('Enter a name.')).toBeTruthy()
    await userEvent.type(field, 'taken.txt')
    expect(screen.getByText('“taken.txt” already exists here.')).toBeTruthy()
    await userEvent.keyboard('{Enter}')
    expect(onName).not.toHaveBeenCalled()
  })

  it('takes the unchanged name for a change of mind, where it must change', async () => {
    const { onName, onDismiss, field } = show({ mustChange: true, taken: () => true })
    await userEvent.click(field)
    expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-description')).toBe('The name hasn’t changed.')
    await userEvent.keyboard('{Enter}')
    expect([onName.mock.calls.length, onDismiss.mock.calls.length]).toEqual([0, 0])
  })
})
