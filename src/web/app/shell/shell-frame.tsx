import { useEffect } from 'react'
import { offerCommands } from '../../data/commands.ts'
import { isAsking } from '../../data/prompts.ts'
import { SHELL_KEYS, useShell } from '../../data/shell.ts'
import { describeShortcuts } from '../../data/shortcuts.ts'
import { t } from '../../i18n/i18n.tsx'
import { usePageEvent } from '../../ui/use-page-event.ts'
import { ShellPanel } from './shell-panel.tsx'

describeShortcuts({
  id: 'shell',
  title: () => t('shell.title'),
  shortcuts: [
    { keys: SHELL_KEYS, label: () => t('frame.shell') },
    { keys: ['Ctrl', 'C'], label: () => t('shell.stop') },
    { keys: ['↑'], label: () => t('shell.history') },
    { keys: ['Esc'], label: () => t('shell.leave') },
    { keys: ['F6'], label: () => t('terminal.leave') },
  ],
})

/** The shell for users who may run commands: its shortcut, its command and, while open, its panel. */
export function ShellFrame() {
  const open = useShell((state) => state.open)

  usePageEvent('keydown', (event) => {
    const wanted = event.ctrlKey && !event.altKey && !event.metaKey && (event.key === '`' || event.code === 'Backquote')
    if (!wanted || isAsking()) return
    event.preventDefault()
    toggle()
  })
  // The header's command.
  useEffect(() => offerCommands({ shell: toggle }), [])

  return open && <ShellPanel />
}

function toggle(): void {
  useShell.setState((state) => ({ open: !state.open }))
}
