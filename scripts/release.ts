import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOME } from '../src/server/entries/entries.ts'
import { version } from '../package.json'
import { makeChart } from './release/chart.ts'
import { makeDeb } from './release/deb.ts'
import { makeClientPackage } from './release/client-package.ts'
import { compile } from './release/executable.ts'
import { lockedPackages } from './release/image/base.ts'
import { makeImage } from './release/image/image.ts'
import { LICENCES_FILE } from './release/licences.ts'
import { makeNpmPackage } from './release/npm-package.ts'
import { emptyOutput, SUMS_FILE, writeSums } from './release/output.ts'
import { sbomOf, type SbomOptions } from './release/sbom.ts'
import { sign, writeAllowedSigners } from './release/sign.ts'
import { makeTarball } from './release/tarball.ts'
import { ARCHITECTURES, targetNamed, TARGETS, type TargetName } from './release/targets.ts'
import { makeTree, type Tree } from './release/tree.ts'

/**
 * `npm run release [-- TARGET …]`: executables, archives, packages and the image of this commit in `release/`, for all targets or those named; what
 * earlier runs made there is removed. Needs npm, `dpkg-deb` and `apt-get`. If SATCHEL_SIGNING_KEY names an SSH key, the sums are signed with it.
 */
const OUT = join(HOME, 'release')
const COMPOSE = ['compose.yaml', 'compose.postgres.yaml']
const targets: readonly TargetName[] =
  process.argv.slice(2).length > 0 ? process.argv.slice(2).map(targetNamed) : Object.keys(TARGETS).map(targetNamed)

/** Of the commit: the same commit gives the same bytes. */
const time = new Date(Number(git('log', '-1', '--format=%ct')) * 1000)
const revision = git('rev-parse', 'HEAD')

emptyOutput(OUT)
const trees = new Map<TargetName, Tree>(targets.map((target) => [target, makeTree(target, join(OUT, 'work', target))]))
for (const [target, tree] of trees) {
  const executable = `satchel-${version}-${target}`
  await compile(tree, join(OUT, executable))
  const licences = join(tree.folder, LICENCES_FILE)
  await makeTarball(join(OUT, executable), { licences, target, out: OUT, time })
  if (TARGETS[target].libc === 'glibc') makeDeb(tree, { target, out: OUT, time })
  writeSbom(executable, { components: tree.components })
}
const inImage = [...trees].flatMap(([target, tree]): [(typeof ARCHITECTURES)['x64' | 'arm64'], Tree][] =>
  TARGETS[target].libc === 'glibc' ? [[ARCHITECTURES[TARGETS[target].cpu], tree]] : [],
)
if (inImage.length > 0) {
  await makeImage(new Map(inImage), { out: OUT, time, revision, packages: join(OUT, 'debian') })
  for (const [architecture, { components }] of inImage)
    writeSbom(`satchel-${version}-image-${architecture}`, { components, debian: { architecture, packages: lockedPackages(architecture) } })
}
for (const [, tree] of [...trees].slice(0, 1)) makeNpmPackage(tree, OUT)
await makeClientPackage(OUT)
await makeChart({ out: OUT, time })
for (const name of COMPOSE) copyFileSync(join(HOME, 'packaging', name), join(OUT, name))
rmSync(join(OUT, 'work'), { recursive: true })

const sums = writeSums(OUT)
const { SATCHEL_SIGNING_KEY } = process.env
if (SATCHEL_SIGNING_KEY) {
  sign(join(OUT, SUMS_FILE), SATCHEL_SIGNING_KEY)
  writeAllowedSigners(join(OUT, 'allowed_signers'), SATCHEL_SIGNING_KEY)
}
console.log(sums.trimEnd())

function writeSbom(artefact: string, content: Pick<SbomOptions, 'components' | 'debian'>): void {
  writeFileSync(join(OUT, `${artefact}.cdx.json`), sbomOf({ artefact, time, ...content }))
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: HOME, encoding: 'utf8' }).trim()
}
