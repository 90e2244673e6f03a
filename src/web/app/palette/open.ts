import { useCallback } from 'react'
import { ask } from '../../data/prompts.ts'
import { isMac } from '../../i18n/keys.ts'
import { useSession } from '../../data/session.ts'
import { bufferTyping } from '../../ui/typing-buffer.ts'
import { useHistory } from '../../router/router.tsx'

/** Opens the palette for signed-in users and runs the chosen command. */
export function usePaletteOpener(): () => void {
  const history = useHistory()
  return useCallback(() => {
    if (useSession.getState().user === null) return
    bufferTyping()
    void ask('palette', { go: history.navigate }).then((run) => run?.())
  }, [history])
}

/** Ctrl+K, or ⌘K on a Mac, where Ctrl+K deletes to the end of the line. Not in the shell, which has its own Ctrl+K. */
export function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== 'k' || !(isMac ? metaKey : ctrlKey) || altKey || shiftKey) return false
  return !(target instanceof Element && target.closest('[data-part=shell]'))
}
