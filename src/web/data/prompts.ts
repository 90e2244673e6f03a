import type { ComponentType } from 'react'
import { create } from 'zustand'
import type { FilePath } from '../../shared/file-path.ts'

/**
 * Every question the product can put, with what the dialog is told and what it answers. Who owns a question adds it:
 * `declare module '<path>/data/prompts.ts' { interface PromptKinds { rename: { props: { name: string }; answer: string } } }`
 */
export interface PromptKinds {
  /** Help; it has no answer. */
  help: { props: Record<never, never>; answer: never }
  /** The command palette; answers with what to do once it is closed. */
  palette: {
    props: { go: (url: string, options?: { state: unknown }) => void }
    answer: () => void
  }
  /** Which folder? One at or below `within`, where the choice starts. */
  'choose-folder': { props: { title: string; within: FilePath }; answer: FilePath }
  /** What the notices said before. */
  notices: { props: Record<never, never>; answer: never }
  /** A yes or no that may stand on top of another dialog. */
  confirm: {
    props: { title: string; text?: string; confirmLabel: string; danger?: boolean }
    answer: true
  }
}

export type PromptKind = keyof PromptKinds
type PropsOf<Kind extends PromptKind> = PromptKinds[Kind]['props']
type AnswerOf<Kind extends PromptKind> = PromptKinds[Kind]['answer']

/** What a dialog component receives: its question, and the two ways out. */
export type PromptProps<Kind extends PromptKind> = PropsOf<Kind> & {
  onAnswer: (answer: AnswerOf<Kind>) => void
  onDismiss: () => void
}

export type PromptDialogs = { [Kind in PromptKind]: ComponentType<PromptProps<Kind>> }

export interface OpenPrompt {
  id: number
  kind: PromptKind
  props: object
  /** Answered or dismissed; it is only fading out. */
  closing: boolean
  resolve: (answer: unknown) => void
}

interface PromptState {
  dialogs: Partial<PromptDialogs>
  /** One dialog at a time; a second one only where somebody asked for it to stand on top. */
  shown: readonly OpenPrompt[]
  waiting: readonly OpenPrompt[]
}

export const usePrompts = create<PromptState>(() => ({ dialogs: {}, shown: [], waiting: [] }))

let nextId = 1

/** Says which component asks which questions; a screen does so when its module loads (with `lazy` components). */
export function registerPrompts(dialogs: Partial<PromptDialogs>): void {
  usePrompts.setState((state) => ({ dialogs: { ...state.dialogs, ...dialogs } }))
}

/**
 * Puts a question and waits for its answer; null when it was closed without one.
 * A second question waits until the first has gone, unless it says `onTop` (a confirm over a dialog).
 */
export function ask<Kind extends PromptKind>(
  kind: Kind,
  props: PropsOf<Kind>,
  options: { onTop?: boolean } = {},
): Promise<AnswerOf<Kind> | null> {
  return new Promise((resolve) => {
    // `settle` is only called by `answer` below, whose caller is the dialog registered for this very kind.
    const asked: OpenPrompt = { id: nextId++, kind, props, closing: false, resolve: resolve as (answer: unknown) => void }
    usePrompts.setState((state) =>
      state.shown.length === 0 || options.onTop ? { shown: [...state.shown, asked] } : { waiting: [...state.waiting, asked] },
    )
  })
}

/** Closes a dialog with its answer, or with null. Only the first call counts. */
export function answer(id: number, value: unknown): void {
  const asked = usePrompts.getState().shown.find((one) => one.id === id)
  if (asked === undefined || asked.closing) return
  usePrompts.setState((state) => ({ shown: state.shown.map((one) => (one.id === id ? { ...one, closing: true } : one)) }))
  asked.resolve(value)
}

/** The dialog has left the page: the next question may come. */
export function removePrompt(id: number): void {
  usePrompts.setState((state) => {
    const shown = state.shown.filter((one) => one.id !== id)
    const [next, ...waiting] = state.waiting
    return shown.length === 0 && next !== undefined ? { shown: [next], waiting } : { shown }
  })
}

/** Closes everything without an answer: after a sign-out or a change of route. */
export function dismissAllPrompts(): void {
  const { shown, waiting } = usePrompts.getState()
  usePrompts.setState({ shown: shown.map((one) => ({ ...one, closing: true })), waiting: [] })
  for (const one of [...shown.filter((asked) => !asked.closing), ...waiting]) one.resolve(null)
}

/** Whether a dialog is open, so that shortcuts of the page keep still. */
export function isAsking(): boolean {
  return usePrompts.getState().shown.some((one) => !one.closing)
}
