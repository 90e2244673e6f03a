import { cleanup, render, screen, userEvent, withDocument } from '../test-dom.ts'
import { afterEach, expect, it, mock } from 'bun:test'
import { SubjectPicker } from './subject-picker.tsx'

withDocument()
afterEach(cleanup)

it('use-17: says that there may be more people than it lists, until what is typed leaves few enough', async () => {
  const subjects = Array.from({ length: 60 }, (_, id) => ({ kind: 'user' as const, id, name: `p${id}` }))
  render(<SubjectPicker label="Who" subjects={subjects} value={null} onValue={mock()} />)
  expect(screen.getAllByRole('option')).toHaveLength(51)
  expect(screen.getByText('There may be more: keep typing.')).toBeDefined()
  await userEvent.type(screen.getByLabelText('Search'), 'p5')
  expect(screen.queryByText('There may be more: keep typing.')).toBeNull()
})
