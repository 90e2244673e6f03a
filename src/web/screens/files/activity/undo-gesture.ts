import { undoGesture } from '../../../data/undo.ts'

/** Takes back a gesture that the server knows, by the same way as Ctrl+Z, and tells the user. */
export function undoPastGesture(group: string): void {
  // Not one of this page: it has ended, and what is being taken back now comes first.
  undoGesture({ group, order: 0, running: false, ended: Promise.resolve(true), take: () => true })
}
