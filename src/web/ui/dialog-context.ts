import { createContext } from 'react'

/** Whoever keeps dialogs (the prompts) tells each whether it is open, and hears when it has gone, so that it can leave in 140 ms. */
export const DialogContext = createContext<{ open: boolean; onGone: () => void }>({ open: true, onGone: () => undefined })
