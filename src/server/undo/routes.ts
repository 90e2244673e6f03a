import { operations, rewind } from '../../shared/contract/operations.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { UndoServices } from './module.ts'

export function mountUndo(app: Router, { undo }: UndoServices): void {
  mount(app, operations.list, ({ viewer, query, request }) => undo.list(viewer, query, { signal: request.signal }))
  mount(app, operations.latest, ({ viewer }) => undo.latest(viewer))
  mount(app, operations.undo, ({ viewer, params }) => undo.undo(viewer, params.group))
  mount(app, operations.redo, ({ viewer, params }) => undo.redo(viewer, params.group))
  mount(app, rewind.preview, ({ viewer, query, request }) => undo.rewind.preview(viewer, query, { signal: request.signal }))
  mount(app, rewind.apply, ({ viewer, body }) => undo.rewind.apply(viewer, body))
}
