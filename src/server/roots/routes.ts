import { type Root, roots as calls } from '../../shared/contract/roots.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'

/** What the operator sees of the roots, the main one first. */
export type ListRoots = () => Promise<readonly Root[]>

export function mountRoots(app: Router, { list }: { list: ListRoots }): void {
  mount(app, calls.list, async () => [...(await list())])
}
