import { api as first } from './first.ts'
import { jobs } from './jobs.ts'
import { unpack } from './unpack.ts'

/** Every call of the product. A route exists because it stands here. */
export const api = { ...first, unpack, jobs } as const
