import { create } from 'zustand'

/** Whether the shell panel is on show; the panel itself arrives when it is first needed. */
export const useShell = create<{ open: boolean }>(() => ({ open: false }))

/** As on the keyboard. Control on a Mac too: ⌘ and this key change windows there. */
export const SHELL_KEYS: readonly string[] = ['Ctrl', '`']
