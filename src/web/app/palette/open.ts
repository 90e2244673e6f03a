import { useCallback } from 'react'
import { ask } from '../../data/prompts.ts'
import { isMac } from '../../i18n/keys.ts'
import { useSession } from '../../data/session.ts'
import { bufferTyping } from '../../ui/typing-buffer.ts'
import { useHistory } from '../../router/router.tsx'

/** Opens the palette for whoever is signed in, and does what is chosen there. */
export function usePaletteOpener(): () => void {
  const history = useHistory()
  return useCallback(() => {
    if (useSession.getState().user === null) return
    bufferTyping()
    void ask('palette', { go: history.navigate }).then((run) => run?.())
  }, [history])
}

/** Ctrl+K, on a Mac ⌘K: there, Ctrl+K cuts to the end of a line. In the shell it is the shell's. */
export function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== 'k' || !(isMac ? metaKey : ctrlKey) || altKey || shiftKey) return false
  return !(target instanceof Element && target.closest('[data-part=shell]'))
}
