import { ROOT } from '../../shared/file-path.ts'
import type { Access } from './access.ts'
import { ALL_RIGHTS } from './permissions.ts'
import { compileRules } from './rules.ts'

/** The house's own: no scope, no rules. */
export const EVERYTHING: Access = {
  scope: ROOT,
  start: ROOT,
  may: ALL_RIGHTS,
  rules: compileRules([], [], { hideDotfiles: false }),
  hideDotfiles: false,
}
