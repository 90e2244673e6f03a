import { create } from 'zustand'

/** What the frame (header, sidebar, palette) may ask of the screen on show. */
export type CommandName = 'new-folder' | 'new-file' | 'upload-files' | 'upload-folder' | 'search' | 'shell'

/** @param typed what was typed where it was asked for, to go on with */
type Handler = (typed?: string) => void

type Handlers = Partial<Record<CommandName, Handler>>

interface CommandState {
  /** The screens' offers, the newest last and first asked. */
  offers: readonly Handlers[]
  /** Asked for while no screen could; the first that can will do it. */
  pending: CommandName | null
}

export const useCommands = create<CommandState>(() => ({ offers: [], pending: null }))

/** A screen says what it can do while it is on show. @returns takes the offer back; call it from an effect */
export function offerCommands(handlers: Handlers): () => void {
  const { pending } = useCommands.getState()
  useCommands.setState(({ offers }) => ({ offers: [...offers, handlers] }))
  const waited = pending === null ? undefined : handlers[pending]
  if (waited) {
    useCommands.setState({ pending: null })
    waited()
  }
  return () => useCommands.setState(({ offers }) => ({ offers: offers.filter((one) => one !== handlers) }))
}

/** @returns whether a screen did it; if none can, it is kept for the next that can */
export function runCommand(name: CommandName, typed?: string): boolean {
  const handler = find(useCommands.getState().offers, name)
  if (handler === undefined) useCommands.setState({ pending: name })
  handler?.(typed)
  return handler !== undefined
}

/** Whether the screen on show can do it now. */
export function useCan(name: CommandName): boolean {
  return useCommands(({ offers }) => find(offers, name) !== undefined)
}

/** As `useCan`, for one moment. */
export function canRun(name: CommandName): boolean {
  return find(useCommands.getState().offers, name) !== undefined
}

function find(offers: readonly Handlers[], name: CommandName): Handler | undefined {
  return offers.findLast((one) => one[name] !== undefined)?.[name]
}
