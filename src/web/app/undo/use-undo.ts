import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isAsking } from '../../data/prompts.ts'
import { latestQuery } from '../../data/operations.ts'
import { useSession } from '../../data/session.ts'
import { isPageKey } from '../../data/shortcuts.ts'
import { redoLatest, registerUndoer, undoLatest } from '../../data/undo.ts'
import { whenIdle } from '../../data/when-idle.ts'
import { usePageEvent } from '../../ui/use-page-event.ts'
import { createUndoer } from './undoer.ts'

const IDLE_MS = 5000

/** Undo and redo for signed-in users: the keys, on every screen, and what they do. */
export function useUndo(): void {
  const queries = useQueryClient()
  const owner = useSession(({ user }) => user?.id ?? null)
  // Synchronises with gestures, which live outside React.
  useEffect(() => (owner === null ? undefined : registerUndoer(createUndoer(queries))), [owner, queries])
  // For the names in menus.
  useEffect(() => {
    // Not removed: a screen that shows it would go on with what is removed.
    void queries.resetQueries({ queryKey: latestQuery.queryKey })
    if (owner !== null) void whenIdle(IDLE_MS).then(() => queries.prefetchQuery(latestQuery))
  }, [owner, queries])
  usePageEvent('keydown', (event) => {
    const action = owner === null || event.defaultPrevented ? null : actionOf(event)
    if (action === null || isAsking() || !isPageKey(event)) return
    event.preventDefault()
    action()
  })
}

/** Ctrl+Z; Ctrl+Shift+Z or Ctrl+Y. */
function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): (() => void) | null {
  if (!(ctrlKey || metaKey) || altKey) return null
  const pressed = key.toLowerCase()
  if (pressed === 'z') return shiftKey ? redoLatest : undoLatest
  return pressed === 'y' && !shiftKey ? redoLatest : null
}
