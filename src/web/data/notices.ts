import { create } from 'zustand'

/** A button of a notice, such as Undo. */
export interface NoticeAction {
  label: string
  run: () => void
}

export interface Notice {
  id: number
  /** `success` and `info` disappear after a second, with actions later, `error` stays until closed, `working` until it is changed. */
  tone: 'success' | 'info' | 'error' | 'working'
  /** Localised. */
  text: string
  detail?: string
  /** Program output; collapsed and shown verbatim. */
  output?: string
  actions?: readonly NoticeAction[] | undefined
  /** Errors offer Report issue unless this is false. */
  reportable?: boolean
  at: Date
}

export type NewNotice = Omit<Notice, 'id' | 'at'>

interface NoticeState {
  shown: readonly Notice[]
  /** Earlier notices, newest first. */
  past: readonly Notice[]
}

const KEEP_PAST = 50

export const useNotices = create<NoticeState>(() => ({ shown: [], past: [] }))

let nextId = 1

/** Shows and announces a notice. @returns its id, for `changeNotice` and `closeNotice` */
export function notify(notice: NewNotice): number {
  const id = nextId++
  useNotices.setState(({ shown }) => ({ shown: [...shown, { ...notice, id, at: new Date() }] }))
  return id
}

/** Replaces a notice, for example `working` by `success`; reopens it if it was closed. */
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
