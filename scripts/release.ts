import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOME } from '../src/server/entries/entries.ts'
import { version } from '../package.json'
import { makeDeb } from './release/deb.ts'
import { compile } from './release/executable.ts'
import { makeTarball } from './release/tarball.ts'
import { targetNamed, TARGETS } from './release/targets.ts'
import { makeTree } from './release/tree.ts'

/**
 * `npm run release [-- TARGET …]`: executables, archives and packages of this commit in `release/`, for all targets or those named. Needs a built web
 * and server, npm, and what `dpkg-deb` comes with.
 */
const OUT = join(HOME, 'release')
const targets = process.argv.slice(2).length > 0 ? process.argv.slice(2).map(targetNamed) : Object.keys(TARGETS).map(targetNamed)

/** Of the commit: the same commit gives the same bytes. */
const time = new Date(Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: HOME, encoding: 'utf8' })) * 1000)

mkdirSync(OUT, { recursive: true })
const made: string[] = []
for (const target of targets) {
  const tree = makeTree(target, join(OUT, 'work', target))
  const executable = `satchel-${version}-${target}`
  await compile(tree, join(OUT, executable))
  made.push(executable, await makeTarball(join(OUT, executable), { target, out: OUT, time }))
  if (TARGETS[target].libc === 'glibc') made.push(makeDeb(tree, { target, out: OUT, time }))
}
rmSync(join(OUT, 'work'), { recursive: true })
const sums = made.map(
  (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(OUT, name)))
      .digest('hex')}  ${name}\n`,
)
writeFileSync(join(OUT, 'SHA256SUMS'), sums.join(''))
console.log(sums.join('').trimEnd())
