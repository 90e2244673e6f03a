import { hasFocus, render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it } from 'bun:test'
import { useState } from 'react'
import type { Rule } from '../../shared/contract/users.ts'
import { RulesEditor } from './rules-editor.tsx'
import { NEW_RULE } from './rules.ts'

withDocument()

const rule = (path: string, allow = false): Rule => ({ ...NEW_RULE, path, allow })

function Editor({ paths, earlier }: { paths: readonly string[]; earlier?: readonly Rule[] }) {
  const [rules, setRules] = useState(() => paths.map((path) => rule(path)))
  const onChoose = () => Promise.resolve('/chosen')
  return <RulesEditor rules={rules} earlier={earlier} subject="Bob" paths={[]} onChoose={onChoose} onRules={setRules} />
}

const texts = () => screen.getAllByRole<HTMLInputElement>('textbox', { name: /^Rule \d/ }).map(({ value }) => value)
const text = (number: number) => screen.getByRole('textbox', { name: `Rule ${number}` })

describe('the editor of rules', () => {
  it('adds a rule that denies, with the focus in it', async () => {
    render(<Editor paths={['/a']} />)
    await userEvent.click(screen.getByRole('button', { name: 'Add a rule' }))
    expect(hasFocus(text(2))).toBe(true)
    expect(screen.getAllByRole('radio', { name: 'Deny', checked: true }).length).toBe(2)
  })

  it('moves a rule by Alt and an arrow, keeps the focus in it and says where it is', async () => {
    render(<Editor paths={['/a', '/b', '/c']} />)
    await userEvent.click(text(1))
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect([texts(), hasFocus(text(2))]).toEqual([['/b', '/a', '/c'], true])
    expect(screen.getByText('Now rule 2 of 3')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Move rule 2 down' }))
    expect([texts(), hasFocus(screen.getByRole('button', { name: 'Move rule 3 down' }))]).toEqual([['/b', '/c', '/a'], true])
  })

  it('leaves the focus near a rule that is deleted, and on “Add” after the last one', async () => {
    render(<Editor paths={['/a', '/b']} />)
    await userEvent.click(screen.getByRole('button', { name: 'Delete rule 2' }))
    expect(hasFocus(screen.getByRole('button', { name: 'Delete rule 1' }))).toBe(true)
    await userEvent.keyboard('{Enter}')
    expect(hasFocus(screen.getByRole('button', { name: 'Add a rule' }))).toBe(true)
  })

  it('takes a folder that is chosen', async () => {
    render(<Editor paths={['/a']} />)
    await userEvent.click(screen.getByRole('button', { name: 'Choose the folder of rule 1' }))
    expect(texts()).toEqual(['/chosen'])
  })

  it('says which rule decides about a path, the last that matches', async () => {
    render(<Editor paths={['/docs']} earlier={[rule('/', true)]} />)
    await userEvent.type(screen.getByRole('textbox', { name: 'Test a path' }), '/docs/a')
    expect(await screen.findByText('rule 1 decides')).toBeTruthy()
    expect(screen.getByText('Hidden')).toBeTruthy()
    await userEvent.clear(screen.getByRole('textbox', { name: 'Test a path' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Test a path' }), '/pictures')
    expect(screen.getByText('global rule 1 decides')).toBeTruthy()
    expect(screen.getByText('Shown')).toBeTruthy()
  })
})
