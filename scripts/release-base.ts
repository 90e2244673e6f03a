import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOME } from '../src/server/entries/entries.ts'
import { currentPackages } from './release/image/base.ts'
import { ARCHITECTURES } from './release/targets.ts'

/** `npm run release:base`: the image is from now on made of what Debian has today, its security updates included (decision 064). */
const current = Object.values(ARCHITECTURES).map((architecture) => [
  architecture,
  currentPackages(architecture, join(HOME, 'release/debian')),
])
writeFileSync(join(HOME, 'packaging/image/base.json'), `${JSON.stringify(Object.fromEntries(current), null, 2)}\n`)
