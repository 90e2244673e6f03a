import { render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it } from 'bun:test'
import { useState } from 'react'
import { PermissionFields } from './permission-fields.tsx'
import { NONE } from './test-permissions.ts'

withDocument()

function Fields({ execution = false }: { execution?: boolean }) {
  const [perm, setPerm] = useState(NONE)
  return <PermissionFields perm={perm} execution={execution} onPerm={setPerm} />
}

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

describe('permissions', () => {
  it('of an administrator are all given and cannot be taken away, which is said', async () => {
    render(<Fields />)
    await userEvent.click(box('Administrator'))
    expect(box('Delete files and folders')).toMatchObject({ checked: true, disabled: true })
    expect(screen.getByRole('group', { name: 'Files' }).getAttribute('aria-describedby')).toBe(
      screen.getByText('Administrators have every permission.').id,
    )
  })

  it('give downloads with sharing', async () => {
    render(<Fields />)
    await userEvent.click(box('Share files'))
    expect(box('Download')).toMatchObject({ checked: true, disabled: true })
    expect(screen.getByText('Sharing requires the Download permission.')).toBeTruthy()
    await userEvent.click(box('Share files'))
    expect(box('Download')).toMatchObject({ checked: true, disabled: false })
  })

  it('offer commands only where the server runs them', () => {
    const { unmount } = render(<Fields />)
    const without = screen.getAllByRole('checkbox').length
    unmount()
    render(<Fields execution />)
    expect(screen.getAllByRole('checkbox').length).toBe(without + 1)
  })
})
