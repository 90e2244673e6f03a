import type { RootSpec } from '../config/kinds.ts'

/** `new`: it has not been used yet, and is taken as it is when a server starts. `another`: what is there now is not what was there. */
export type RootLook = 'connected' | 'new' | 'missing' | 'another'

/** What is where a root should be. @param mark as it is recorded; null if it was not used yet */
export type LookAtRoot = (spec: RootSpec, mark: string | null) => Promise<RootLook>
