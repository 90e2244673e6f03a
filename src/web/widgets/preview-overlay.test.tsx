import { render, screen, userEvent, withDocument } from '../test-dom.ts'
import { describe, expect, it, mock } from 'bun:test'
import { PreviewOverlay } from './preview-overlay.tsx'

withDocument()

function show({ isQuiet = false, isLast = false } = {}) {
  const page = document.createElement('div')
  page.id = 'app'
  document.body.append(page)
  const moves: string[] = []
  const move = (name: string) => () => void moves.push(name)
  const onClose = mock()
  const shown = render(
    <PreviewOverlay
      name="photo.jpg"
      meta="1 of 3"
      actions={null}
      hides={false}
      isQuiet={() => isQuiet}
      onClose={onClose}
      onPrevious={move('previous')}
      onNext={isLast ? null : move('next')}
    >
      <input aria-label="Field" />
    </PreviewOverlay>,
    { container: page },
  )
  return { ...shown, page, moves, onClose }
}

describe('the preview', () => {
  it('goes to the neighbours by arrow keys, to the next by Enter, and closes by Escape', async () => {
    const { moves, onClose } = show()
    await userEvent.keyboard('{ArrowRight}{ArrowLeft}{Enter}')
    expect(moves).toEqual(['next', 'previous', 'next'])
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  it('follows the reading direction', async () => {
    document.documentElement.dir = 'rtl'
    const { moves } = show()
    await userEvent.keyboard('{ArrowLeft}')
    document.documentElement.dir = ''
    expect(moves).toEqual(['next'])
  })

  it('leaves keys to fields, to buttons and to what is on top of it', async () => {
    const { moves } = show()
    await userEvent.click(screen.getByRole('textbox'))
    await userEvent.keyboard('{ArrowLeft}')
    screen.getByRole('button', { name: 'Back to the folder' }).focus()
    await userEvent.keyboard('{Control>}{ArrowRight}{/Control}')
    expect(moves).toEqual([])
  })

  it('is quiet while a dialog is open', async () => {
    const { moves, onClose } = show({ isQuiet: true })
    await userEvent.keyboard('{ArrowRight}{Escape}')
    expect([moves, onClose.mock.calls.length]).toEqual([[], 0])
  })

  it('has no arrow where there is no neighbour, and nothing behind it can be used', () => {
    const { page, unmount } = show({ isLast: true })
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Previous' })).toBeTruthy()
    expect(page.hasAttribute('inert')).toBe(true)
    unmount()
    expect(page.hasAttribute('inert')).toBe(false)
  })
})
