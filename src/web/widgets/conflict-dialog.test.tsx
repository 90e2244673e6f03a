import { hasFocus, render, screen, userEvent, waitFor, withDocument } from '../test-dom.ts'
import { describe, expect, it, mock } from 'bun:test'
import { ConflictDialog } from './conflict-dialog.tsx'
import type { Conflict } from './conflict-resolution.ts'

withDocument()

function conflict(name: string, { age = 0 } = {}): Conflict<string> {
  const version = { isFolder: false, size: 1, picture: null }
  return { key: name, name, existing: { ...version, modified: 1000 + age }, incoming: { ...version, modified: 1000 } }
}

function show(conflicts: Conflict<string>[], { mayReplace = true } = {}) {
  const [onAnswer, onDismiss] = [mock(), mock()]
  render(<ConflictDialog conflicts={conflicts} mayReplace={mayReplace} onAnswer={onAnswer} onDismiss={onDismiss} />)
  const answers = () => onAnswer.mock.calls.map(([map]) => Object.fromEntries(map))
  return { answers, onDismiss, radio: (name: RegExp) => screen.getByRole('radio', { name }) }
}

describe('the dialog about names that are taken', () => {
  it('has the focus on a choice that loses nothing, and answers for all by Enter', async () => {
    const { answers, radio } = show([conflict('a'), conflict('b')])
    await waitFor(() => expect(hasFocus(radio(/^Keep both/))).toBe(true))
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(answers()).toEqual([{ a: 'keep-both', b: 'keep-both' }])
  })

  it('asks about each when the choice is not for the rest, with the focus on the next choice', async () => {
    const { answers, radio } = show([conflict('a'), conflict('b')])
    await userEvent.click(radio(/^Replace/))
    await userEvent.click(screen.getByRole('checkbox', { name: /next conflict/ }))
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect([answers(), screen.getByRole('dialog').textContent?.includes('“b”')]).toEqual([[], true])
    expect(hasFocus(radio(/^Keep both/))).toBe(true)
    await userEvent.click(radio(/^Skip/))
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(answers()).toEqual([{ a: 'replace', b: 'skip' }])
  })

  it('does not offer to replace what may not be replaced', () => {
    show([conflict('a')], { mayReplace: false })
    expect(screen.queryByRole('radio', { name: /^Replace/ })).toBeNull()
  })

  it('cancels everything by Escape', async () => {
    const { answers, onDismiss } = show([conflict('a')])
    await userEvent.keyboard('{Escape}')
    expect([answers(), onDismiss.mock.calls.length]).toEqual([[], 1])
  })
})
