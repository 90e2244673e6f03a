import type { Client } from '../shared/contract/client.ts'
import type { api } from '../shared/contract/index.ts'

/** Every call of a server, by area and name. The package `satchel-client` has the same type written out (`scripts/client/types.ts`). */
export type Satchel = Client<typeof api>
