import { join } from 'node:path'
import { attacksIn, replay, type Replayed, summaryOf } from './attacks/replay.ts'
import { createServers } from './attacks/test-server.ts'
import { installDebianPackages } from '../scripts/lib/debian.mjs'

/**
 * `npm run attacks [-- A1 A5]`: carries out the attacks that once succeeded, all or the rows named, one after the other on the built server. Ends with
 * 0 only if every one was refused.
 */
const attacks = await attacksIn(join(import.meta.dir, 'attacks'))
const asked = process.argv.slice(2)
const unknown = asked.filter((row) => !attacks.some((attack) => attack.row === row))
if (unknown.length > 0) {
  console.error(`No attack for ${unknown.join(', ')}. There are: ${attacks.map(({ row }) => row).join(', ')}.`)
  process.exit(2)
}

// An attack that cannot be tried says so by itself.
installDebianPackages()
const replayed: Replayed[] = []
for (const attack of attacks.filter(({ row }) => asked.length === 0 || asked.includes(row))) {
  replayed.push(await replay(attack, createServers, console.log))
}
const { text, fine } = summaryOf(replayed)
console.log(`\n${text}`)
process.exitCode = fine ? 0 : 1
