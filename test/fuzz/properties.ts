import { ARCHIVES } from './archives.ts'
import { CONFIGURATIONS } from './configuration.ts'
import { PATHS } from './paths.ts'
import type { Property } from './property.ts'
import { RANGES } from './ranges.ts'
import { SEARCHES } from './search.ts'
import { SHARES } from './shares.ts'
import { UPLOADS } from './tus.ts'

/** Everything that is tried with random input: few times in `npm test`, for as long as one likes by `npm run fuzz`. */
export const PROPERTIES: readonly Property[] = [...PATHS, ...RANGES, ...SEARCHES, ...CONFIGURATIONS, ...ARCHIVES, ...UPLOADS, ...SHARES]
