import { quotas as calls } from '../../shared/contract/quotas.ts'
import type { Subject } from '../../shared/contract/groups.ts'
import { fail } from '../../shared/errors.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { Quotas } from './quotas.ts'

export function mountQuotas(app: Router, { quotas }: { quotas: Quotas }): void {
  mount(app, calls.list, () => quotas.all())
  mount(app, calls.mine, ({ viewer }) => quotas.of(viewer))
  mount(app, calls.count, ({ body }) => quotas.count(checked(body.who)))
  mount(app, calls.set, async ({ body: { who, bytes, files }, viewer, peer }) => {
    await quotas.set(checked(who), { maxBytes: bytes, maxFiles: files }, { viewer, address: peer })
    return undefined
  })
}

/** The largest id that a database column holds. */
const MOST_ID = 2 ** 31 - 1

function checked({ kind, id }: Subject): Subject {
  if (kind === 'everybody') return { kind, id: 0 }
  return Number.isSafeInteger(id) && id > 0 && id <= MOST_ID ? { kind, id } : fail('not-found', {})
}
