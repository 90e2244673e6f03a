import { cleanup, hasFocus, render, screen, userEvent, waitFor, withDocument } from '../../../test-dom.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, mock, type Mock, spyOn } from 'bun:test'
import { parseFilePath } from '../../../../shared/file-path.ts'
import { DeleteDialog } from './delete-dialog.tsx'

withDocument()

let fetched: Mock<typeof fetch>
let answer: () => Promise<Response>

beforeEach(() => {
  fetched = spyOn(globalThis, 'fetch')
  fetched.mockImplementation(Object.assign(() => answer(), { preconnect: () => undefined }))
})
afterEach(() => void fetched.mockRestore())

function show({ permanent = false, isFull = false } = {}) {
  const [onAnswer, onDismiss] = [mock(), mock()]
  const paths = ['/docs/a.txt', '/docs/b.txt'].map(parseFilePath)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DeleteDialog paths={paths} content={null} permanent={permanent} isFull={isFull} onAnswer={onAnswer} onDismiss={onDismiss} />
    </QueryClientProvider>,
  )
  return { onDismiss, answers: () => onAnswer.mock.calls.map(([value]) => value) }
}

const button = (name: string) => screen.getByRole('button', { name })
const policy = (restorable: boolean) => Promise.resolve(Response.json({ days: 30, share: 10, restorable }))

describe('the dialog of a deletion', () => {
  it('deletes by Enter where it can be restored, and says for how long', async () => {
    answer = () => policy(true)
    const { answers } = show()
    expect(await screen.findByText('Can be restored from the trash for up to 30 days.')).toBeTruthy()
    expect(fetched.mock.calls.map(([address]) => address)).toEqual(['/api/trash/policy?path=%2Fdocs%2Fa.txt&path=%2Fdocs%2Fb.txt'])
    await waitFor(() => expect(hasFocus(button('Move to trash'))).toBe(true))
    await userEvent.keyboard('{Enter}')
    expect(answers()).toEqual([{ permanent: false }])
  })

  it('asks once more for a deletion without the trash, with the focus on Cancel', async () => {
    answer = () => policy(true)
    const { answers, onDismiss } = show()
    await userEvent.click(await screen.findByRole('button', { name: 'Delete permanently' }))
    expect(screen.getByText('This cannot be undone.')).toBeTruthy()
    expect(hasFocus(button('Cancel'))).toBe(true)
    await userEvent.keyboard('{Enter}')
    expect([onDismiss.mock.calls.length, answers()]).toEqual([1, []])
    await userEvent.click(button('Delete permanently'))
    expect(answers()).toEqual([{ permanent: true }])
  })

  it('says that the disk is too full for the trash, with the focus on Cancel', async () => {
    answer = () => policy(true)
    const { answers } = show({ permanent: true, isFull: true })
    expect(await screen.findByText('The disk is too full for the trash. This cannot be undone.')).toBeTruthy()
    expect(hasFocus(button('Cancel'))).toBe(true)
    await userEvent.click(button('Delete permanently'))
    expect(answers()).toEqual([{ permanent: true }])
  })

  it('has the focus on Cancel where nothing can be restored, also if it was asked for', async () => {
    answer = () => policy(false)
    const { answers } = show()
    expect(await screen.findByText('This cannot be undone.')).toBeTruthy()
    await waitFor(() => expect(hasFocus(button('Cancel'))).toBe(true))
    await userEvent.click(button('Delete'))
    expect(answers()).toEqual([{ permanent: false }])
  })

  it('takes what the server does not say for final', async () => {
    answer = () => Promise.resolve(Response.json({ code: 'busy', detail: {} }, { status: 503 }))
    show()
    expect(await screen.findByText('This cannot be undone.')).toBeTruthy()
    await waitFor(() => expect(hasFocus(button('Cancel'))).toBe(true))
  })

  it('deletes nothing before the server has said which it is', async () => {
    answer = () => new Promise(() => undefined)
    const { answers } = show()
    await userEvent.keyboard('{Enter}')
    await userEvent.click(button('Move to trash'))
    expect(answers()).toEqual([])
  })

  it('deletes what was confirmed before the answer if it can be restored, else asks with the focus on Cancel', async () => {
    for (const restorable of [true, false]) {
      const told = Promise.withResolvers<Response>()
      answer = () => told.promise
      const { answers } = show()
      await waitFor(() => expect(hasFocus(button('Move to trash'))).toBe(true))
      await userEvent.keyboard('{Enter}')
      told.resolve(await policy(restorable))
      if (restorable) await waitFor(() => expect(answers()).toEqual([{ permanent: false }]))
      else await waitFor(() => expect(hasFocus(button('Cancel'))).toBe(true))
      if (!restorable) expect(answers()).toEqual([])
      cleanup()
    }
  })
})
