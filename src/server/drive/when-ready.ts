import type { Right } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { DriveContext, ResolvedPath } from './context.ts'
import type { OperationOptions } from './operation.ts'
import { requireRights } from './checkpoint.ts'

interface Ready extends OperationOptions {
  readonly path: FilePath
  /** The nodes that the operation creates or changes. */
  readonly places: readonly ResolvedPath[]
  readonly rights: readonly Right[]
}

/** Calls `ready`, which may run hooks for minutes, and then fails if the user may no longer do the operation (A22). */
export async function whenReady(context: DriveContext, { path, places, rights, ready }: Ready): Promise<void> {
  await ready?.(path)
  await context.renew()
  requireRights(context, rights)
  if (places.some((place) => context.verdict(place) !== 'shown')) fail('not-found', { path })
}
