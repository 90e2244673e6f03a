import type { Right } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { DriveContext, ResolvedPath } from './context.ts'
import type { OperationOptions } from './operation.ts'
import { requireRights } from './checkpoint.ts'

interface Ready extends OperationOptions {
  readonly path: FilePath
  /** What the operation creates or changes. */
  readonly places: readonly ResolvedPath[]
  readonly rights: readonly Right[]
}

/** Waits for what comes before an operation, such as hooks, which may run for minutes. Fails if its user may no longer do it (A22). */
export async function whenReady(context: DriveContext, { path, places, rights, ready }: Ready): Promise<void> {
  await ready?.(path)
  await context.renew()
  requireRights(context, rights)
  if (places.some((place) => context.verdict(place) !== 'shown')) fail('not-found', { path })
}
