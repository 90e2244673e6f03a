import { factors as calls } from '../../shared/contract/factors.ts'
import { fail } from '../../shared/errors.ts'
import type { Caller } from '../access/caller.ts'
import { statusResponse } from '../http/errors.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { Factors } from './factors.ts'
import { originOf } from './passkeys.ts'

export interface FactorsDeps {
  readonly factors: Factors
  /** Fails with `proof-needed` unless the caller has proven completely who they are within five minutes. */
  readonly requireFreshProof: (caller: Omit<Caller, 'password'>) => Promise<void>
  /** Counts a code before it is looked at; fails with `too-many-requests`. @returns to be called if it was right */
  readonly countCode: (caller: Omit<Caller, 'password'>) => Promise<() => Promise<void>>
}

export function mountFactors(app: Router, { factors, requireFreshProof, countCode }: FactorsDeps): void {
  mount(app, calls.list, ({ viewer }) => factors.list(viewer))

  mount(app, calls.startTotp, async ({ viewer, peer: address }) => {
    await requireFreshProof({ viewer, address })
    return factors.startTotp({ viewer, address })
  })

  mount(app, calls.confirmTotp, async ({ viewer, peer: address, body: { code } }) => {
    const isRight = await countCode({ viewer, address })
    const recoveryCodes = await factors.confirmTotp({ viewer, address }, code)
    await isRight()
    return { recoveryCodes }
  })

  mount(app, calls.removeTotp, async ({ viewer, peer: address }) => {
    await requireFreshProof({ viewer, address })
    await factors.removeTotp({ viewer, address })
    return statusResponse(200)
  })

  mount(app, calls.renewCodes, async ({ viewer, peer: address }) => {
    await requireFreshProof({ viewer, address })
    return { recoveryCodes: await factors.renewCodes({ viewer, address }) }
  })

  mount(app, calls.challenge, async ({ viewer, peer: address, request }) => {
    await requireFreshProof({ viewer, address })
    return factors.challenge({ viewer, address }, originOf(request))
  })

  mount(app, calls.addPasskey, async ({ viewer, peer: address, body }) => {
    return { recoveryCodes: await factors.addPasskey({ viewer, address }, body) }
  })

  mount(app, calls.renamePasskey, async ({ viewer, peer: address, params: { id }, body: { name } }) => {
    await factors.renamePasskey({ viewer, address }, id, name)
    return statusResponse(200)
  })

  mount(app, calls.removePasskey, async ({ viewer, peer: address, params: { id } }) => {
    await requireFreshProof({ viewer, address })
    await factors.removePasskey({ viewer, address }, id)
    return statusResponse(200)
  })

  mount(app, calls.forgetDevice, async ({ viewer, peer: address, params: { id } }) => {
    await factors.forgetDevice({ viewer, address }, id)
    return statusResponse(200)
  })

  mount(app, calls.removeAll, async ({ viewer, peer: address, params: { id } }) => {
    const userId = /^[1-9]\d{0,9}$/.test(id) && Number(id) < 2 ** 31 ? Number(id) : fail('not-found', {})
    await requireFreshProof({ viewer, address })
    await factors.removeAll(userId, { viewer, address })
    return statusResponse(200)
  })
}
