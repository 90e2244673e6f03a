import { create } from 'zustand'

/** Whether the shell panel is open; its code is loaded on first use. */
export const useShell = create<{ open: boolean }>(() => ({ open: false }))

/** Ctrl on a Mac too: ⌘` switches windows there. */
export const SHELL_KEYS: readonly string[] = ['Ctrl', '`']
