import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { version } from '../../package.json'
import { HOME } from '../../src/server/entries/entries.ts'
import { guides } from './guides.ts'
import type { TargetName } from './targets.ts'

/** Puts the executable with licences, guides, unit and an example of a configuration into one archive. @returns its file name */
export async function makeTarball(
  executable: string,
  { licences, target, out, time }: { licences: string; target: TargetName; out: string; time: Date },
): Promise<string> {
  const folder = `satchel-${version}-${target}`
  const name = `${folder}.tar.gz`
  const files = pack()
  const written = pipeline(files, createGzip({ level: 9 }), createWriteStream(join(out, name)))
  const texts = ['LICENSE', 'README.md', 'CHANGES.md', 'packaging/satchel.service', 'packaging/hardened.conf', 'packaging/satchel.yaml']
  for (const file of [...texts.map((text) => join(HOME, text)), licences])
    files.entry({ name: `${folder}/${basename(file)}`, mode: 0o644, mtime: time }, readFileSync(file))
  for (const file of guides()) files.entry({ name: `${folder}/${file}`, mode: 0o644, mtime: time }, readFileSync(join(HOME, file)))
  const entry = files.entry({ name: `${folder}/satchel`, mode: 0o755, mtime: time, size: statSync(executable).size })
  await pipeline(createReadStream(executable), entry)
  files.finalize()
  await written
  return name
}
