import { ROOT } from '../../shared/file-path.ts'
import type { Access } from './access.ts'
import { ALL_RIGHTS } from './permissions.ts'
import { compileRules } from './rules.ts'

/** For the server's own work: no scope, no rules. */
export const EVERYTHING: Access = {
  scope: ROOT,
  start: ROOT,
  may: ALL_RIGHTS,
  rules: compileRules([], [], { hideDotfiles: false }),
  hideDotfiles: false,
}
