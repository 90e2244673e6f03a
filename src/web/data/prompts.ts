import type { ComponentType } from 'react'
import { create } from 'zustand'
import type { FilePath } from '../../shared/file-path.ts'

/**
 * Every dialog that returns an answer, with its props and answer type. Features add their own: `declare module '<path>/data/prompts.ts' { interface
 * PromptKinds { rename: { props: { name: string }; answer: string } } }`
 */
export interface PromptKinds {
  /** Help; has no answer. */
  help: { props: Record<never, never>; answer: never }
  /** Command palette; the answer is run once it is closed. */
  palette: {
    props: { go: (url: string, options?: { state: unknown }) => void }
    answer: () => void
  }
  /** Asks for a folder at or below `within`. */
  'choose-folder': { props: { title: string; within: FilePath }; answer: FilePath }
  /** Past notices. */
  notices: { props: Record<never, never>; answer: never }
  /** A confirmation, which may be on top of another dialog. */
  confirm: {
    /** `offer` names something else that can be done first; then the answer is `offer`. */
    props: { title: string; text?: string; confirmLabel: string; danger?: boolean; offer?: string }
    answer: true | 'offer'
  }
}

export type PromptKind = keyof PromptKinds
type PropsOf<Kind extends PromptKind> = PromptKinds[Kind]['props']
type AnswerOf<Kind extends PromptKind> = PromptKinds[Kind]['answer']

/** Props of a dialog component: its own, and two callbacks for closing it. */
export type PromptProps<Kind extends PromptKind> = PropsOf<Kind> & {
  onAnswer: (answer: AnswerOf<Kind>) => void
  onDismiss: () => void
}

export type PromptDialogs = { [Kind in PromptKind]: ComponentType<PromptProps<Kind>> }

export interface OpenPrompt {
  id: number
  kind: PromptKind
  props: object
  /** Answered or dismissed; the closing animation is running. */
  closing: boolean
  resolve: (answer: unknown) => void
}

interface PromptState {
  dialogs: Partial<PromptDialogs>
  /** One dialog at a time, except those opened with `onTop`. */
  shown: readonly OpenPrompt[]
  waiting: readonly OpenPrompt[]
}

export const usePrompts = create<PromptState>(() => ({ dialogs: {}, shown: [], waiting: [] }))

let nextId = 1

/** Registers the (lazy) components of prompts; called when a screen's module loads. */
export function registerPrompts(dialogs: Partial<PromptDialogs>): void {
  usePrompts.setState((state) => ({ dialogs: { ...state.dialogs, ...dialogs } }))
}

/**
 * Opens a dialog and waits for its answer; null if it is dismissed. A second dialog waits until the first has closed, unless it is opened with
 * `onTop`.
 */
export function ask<Kind extends PromptKind>(
  kind: Kind,
  props: PropsOf<Kind>,
  options: { onTop?: boolean } = {},
): Promise<AnswerOf<Kind> | null> {
  return new Promise((resolve) => {
    // Only `answer` below calls `resolve`, and its caller is the dialog registered for this kind.
    const asked: OpenPrompt = { id: nextId++, kind, props, closing: false, resolve: resolve as (answer: unknown) => void }
    usePrompts.setState((state) =>
      state.shown.length === 0 || options.onTop ? { shown: [...state.shown, asked] } : { waiting: [...state.waiting, asked] },
    )
  })
}

/** Closes a dialog with an answer, or null. Only the first call counts. */
export function answer(id: number, value: unknown): void {
  const asked = usePrompts.getState().shown.find((one) => one.id === id)
  if (asked === undefined || asked.closing) return
  usePrompts.setState((state) => ({ shown: state.shown.map((one) => (one.id === id ? { ...one, closing: true } : one)) }))
  asked.resolve(value)
}

/** The closing animation has ended: the next dialog may open. */
export function removePrompt(id: number): void {
  usePrompts.setState((state) => {
    const shown = state.shown.filter((one) => one.id !== id)
    const [next, ...waiting] = state.waiting
    return shown.length === 0 && next !== undefined ? { shown: [next], waiting } : { shown }
  })
}

/** Dismisses all dialogs, after a sign-out or a navigation. */
export function dismissAllPrompts(): void {
  const { shown, waiting } = usePrompts.getState()
  usePrompts.setState({ shown: shown.map((one) => ({ ...one, closing: true })), waiting: [] })
  for (const one of [...shown.filter((asked) => !asked.closing), ...waiting]) one.resolve(null)
}

let covers = 0

/** The page is behind something modal that is no prompt, such as the drawer. @returns the end of that */
export function coverPage(): () => void {
  covers += 1
  return () => {
    covers -= 1
  }
}

/** Whether a dialog is open, so that page shortcuts are ignored. */
export function isAsking(): boolean {
  return covers > 0 || usePrompts.getState().shown.some((one) => !one.closing)
}
