import type { Caller } from '../access/caller.ts'
import type { Bus } from '../bus/bus.ts'
import type { Users } from '../users/users.ts'
import type { Addresses } from './addresses.ts'

export interface SetAddressDeps {
  readonly addresses: Addresses
  readonly users: Pick<Users, 'find'>
  readonly bus: Bus
}

/** Sets the address of a user, which counts as confirmed, and notes it in the activity log. An empty one removes it. */
export async function setAddress(
  { addresses, users, bus }: SetAddressDeps,
  { id, address, caller }: { id: number; address: string; caller: Caller },
): Promise<void> {
  const before = (await addresses.find(id)) ?? ''
  await addresses.set(id, address)
  bus.announce('noted', {
    kind: 'user-changed',
    by: { id: caller.viewer.userId, name: caller.viewer.username },
    address: caller.address,
    subject: (await users.find(id))?.username ?? '',
    details: [{ place: 'mail', before, after: address }],
  })
}
