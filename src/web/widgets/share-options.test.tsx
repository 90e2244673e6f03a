import { render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it } from 'bun:test'
import { useState } from 'react'
import { draftOf } from './share-draft.ts'
import { ShareOptions } from './share-options.tsx'

withDocument()

function Options({ isDir = true, takenSlug = null }: { isDir?: boolean; takenSlug?: string | null }) {
  const [draft, setDraft] = useState(() => draftOf())
  const change = (fields: object) => setDraft({ ...draft, ...fields })
  return <ShareOptions draft={draft} onChange={change} isDir={isDir} linkOf={(name) => `http://host/${name}`} takenSlug={takenSlug} />
}

const rights = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Visitors can' })

describe('the options of a link', () => {
  it('have limits for what arrives only where visitors can only send', async () => {
    render(<Options />)
    expect(screen.queryByRole('textbox', { name: 'Maximum number of files' })).toBeNull()
    expect(screen.getByRole('textbox', { name: 'Download limit' })).toBeTruthy()
    await userEvent.selectOptions(rights(), 'Upload only (file request)')
    expect(screen.getByRole('textbox', { name: 'Maximum number of files' })).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Download limit' })).toBeNull()
  })

  it('offer for a file only what a file can', () => {
    render(<Options isDir={false} />)
    expect(rights().options.length).toBe(2)
  })

  it('say at the field what is wrong, while it is typed', async () => {
    render(<Options />)
    const limit = screen.getByRole('textbox', { name: 'Download limit' })
    await userEvent.type(limit, 'x')
    expect(limit.getAttribute('aria-invalid')).toBe('true')
    await userEvent.clear(limit)
    await userEvent.type(limit, '5')
    expect(limit.getAttribute('aria-invalid')).toBeNull()
  })

  it('show the link that a name makes, or that the name is taken', async () => {
    render(<Options takenSlug="party" />)
    const name = screen.getByRole('textbox', { name: 'Custom link name' })
    await userEvent.type(name, 'part')
    expect(screen.getByText(/http:\/\/host\/part/)).toBeTruthy()
    await userEvent.type(name, 'y')
    expect(screen.getByText('Another link already uses this name.')).toBeTruthy()
  })
})
