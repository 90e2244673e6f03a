import { createClient } from '../../shared/contract/client.ts'
import { jobs } from '../../shared/contract/jobs.ts'
import { unpack } from '../../shared/contract/unpack.ts'
import { send } from './client.ts'

/** The calls that the first page does not make (`contract/first.ts`). */
export const lateClient = createClient({ jobs, unpack }, send)
