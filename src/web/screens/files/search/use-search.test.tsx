import { act, render, waitFor, withDocument } from '../../../test-dom.ts'
import { afterEach, expect, it } from 'bun:test'
import { parseFilePath, ROOT } from '../../../../shared/file-path.ts'
import { runCommand } from '../../../data/commands.ts'
import { answer, usePrompts } from '../../../data/prompts.ts'
import { fakeBrowser } from '../../../router/fake-browser.ts'
import { createHistory } from '../../../router/history.ts'
import { Router } from '../../../router/router.tsx'
import { NO_FILTERS } from './filters.ts'
import { useSearch } from './use-search.ts'

withDocument()
// Answered dialogs stay until their animation has ended, which nothing shows here.
afterEach(() => usePrompts.setState({ shown: [], waiting: [] }))

it('Back returns to the results, even before the file that was opened is shown', async () => {
  const browser = fakeBrowser('/recent')
  const history = createHistory('', browser)
  render(
    <Router
      history={history}
      routes={[
        { path: '/recent', element: <Page /> },
        { path: '/files/*', element: <Loading /> },
      ]}
    />,
  )
  act(() => void runCommand('search'))
  const [first] = usePrompts.getState().shown
  if (first === undefined) throw new Error('no search was opened')
  await act(async () => {
    answer(first.id, { action: 'open', hit: HIT, fragment: '', saved: SAVED })
    usePrompts.setState({ shown: [] })
    await Bun.sleep(0)
  })
  expect(history.location().pathname).toBe('/files/plan.txt')
  await act(() => browser.step(-1))
  await waitFor(() => expect(usePrompts.getState().shown.map(({ props }) => props)).toEqual([{ start: ROOT, left: SAVED }]))
})

function Page() {
  useSearch({ folder: ROOT, showing: 'page' })
  return null
}

/** The code of this screen has not arrived yet. */
function Loading(): never {
  throw new Promise(() => undefined)
}

const HIT = { path: parseFilePath('plan.txt'), isDir: false, snippets: [] }
const SAVED = {
  text: 'plan',
  filters: NO_FILTERS,
  scope: 'everywhere',
  contents: false,
  state: { kind: 'done', hits: [HIT], cut: null },
  list: { shown: 1, scrollTop: 0, href: null },
}
