import { create } from 'zustand'

/** Commands that the layout (header, sidebar, palette) sends to the current screen. */
export type CommandName = 'new-folder' | 'new-file' | 'upload-files' | 'upload-folder' | 'search' | 'shell'

/** @param typed text that was typed where the command was invoked */
type Handler = (typed?: string) => void

type Handlers = Partial<Record<CommandName, Handler>>

interface CommandState {
  /** Handlers of the screens; the last registered is asked first. */
  offers: readonly Handlers[]
  /** A command that no screen could handle yet; the next screen that can will run it. */
  pending: CommandName | null
}

export const useCommands = create<CommandState>(() => ({ offers: [], pending: null }))

/** Registers the commands of a screen. @returns unregisters them; call it from an effect */
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

/** @returns whether a screen handled it; otherwise it is kept for the next screen that can */
export function runCommand(name: CommandName, typed?: string): boolean {
  const handler = find(useCommands.getState().offers, name)
  if (handler === undefined) useCommands.setState({ pending: name })
  handler?.(typed)
  return handler !== undefined
}

/** Whether the current screen can handle a command. */
export function useCan(name: CommandName): boolean {
  return useCommands(({ offers }) => find(offers, name) !== undefined)
}

/** Like `useCan`, without subscribing. */
export function canRun(name: CommandName): boolean {
  return find(useCommands.getState().offers, name) !== undefined
}

function find(offers: readonly Handlers[], name: CommandName): Handler | undefined {
  return offers.findLast((one) => one[name] !== undefined)?.[name]
}
