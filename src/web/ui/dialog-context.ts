import { createContext } from 'react'

/** Lets the owner of dialogs (prompts) control whether each is open and learn when its closing animation has ended. */
export const DialogContext = createContext<{ open: boolean; onGone: () => void }>({ open: true, onGone: () => undefined })
