import { create } from 'zustand'

/** A button of a notice, such as Undo. */
export interface NoticeAction {
  label: string
  run: () => void
}

export interface Notice {
  id: number
  /** `success` and `info` leave after a second, `error` stays until closed, `working` until somebody changes it. */
  tone: 'success' | 'info' | 'error' | 'working'
  /** Already in the reader's language. */
  text: string
  detail?: string
  /** What a program said about it; folded, and shown as it is. */
  output?: string
  actions?: readonly NoticeAction[] | undefined
  /** Errors offer Report issue unless this says no. */
  reportable?: boolean
  at: Date
}

export type NewNotice = Omit<Notice, 'id' | 'at'>

interface NoticeState {
  shown: readonly Notice[]
  /** What was said before, newest first: one second is never the only chance to read it. */
  past: readonly Notice[]
}

const KEEP_PAST = 50

export const useNotices = create<NoticeState>(() => ({ shown: [], past: [] }))

let nextId = 1

/** Shows a notice in the corner and reads it aloud. @returns its id, for `changeNotice` and `closeNotice` */
export function notify(notice: NewNotice): number {
  const id = nextId++
  useNotices.setState(({ shown }) => ({ shown: [...shown, { ...notice, id, at: new Date() }] }))
  return id
}

/** Turns a notice into another, as `working` into `success`. One that was closed meanwhile comes back. */
export function changeNotice(id: number, notice: NewNotice): void {
  const changed = { ...notice, id, at: new Date() }
  useNotices.setState(({ shown }) => ({
    shown: shown.some((one) => one.id === id) ? shown.map((one) => (one.id === id ? changed : one)) : [...shown, changed],
  }))
}

export function closeNotice(id: number): void {
  useNotices.setState(({ shown, past }) => {
    const closed = shown.find((one) => one.id === id)
    if (closed === undefined) return {}
    const kept = closed.tone === 'working' ? past : [closed, ...past].slice(0, KEEP_PAST)
    return { shown: shown.filter((one) => one.id !== id), past: kept }
  })
}
