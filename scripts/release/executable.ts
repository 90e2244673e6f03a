import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack as tar } from 'tar-stream'
import { HOME } from '../../src/server/entries/entries.ts'
import type { Tree } from './tree.ts'

/** Of zstd, for what is published. */
const BEST_LEVEL = 19

/** Compiles one file that holds the tree and the runtime. Throws what the compiler says. */
export async function compile({ folder, runtime, main }: Tree, outfile: string, { level = BEST_LEVEL } = {}): Promise<void> {
  const { archive, sizes } = await archiveOf(folder)
  const pack = `${outfile}.tar.zst`
  writeFileSync(pack, Bun.zstdCompressSync(archive, { level }))
  const { success, logs } = await Bun.build({
    entrypoints: [join(HOME, 'scripts/release/launcher.ts')],
    compile: {
      executablePath: runtime,
      outfile,
      // What lies in the current folder must not run or set anything (A19).
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
    define: {
      PACK_HASH: JSON.stringify(createHash('sha256').update(archive).digest('hex').slice(0, 32)),
      PACK_FILES: JSON.stringify(sizes),
      MAIN: JSON.stringify(main),
    },
    minify: true,
    plugins: [{ name: 'pack', setup: (builder) => void builder.onResolve({ filter: /^satchel\.tar\.zst$/ }, () => ({ path: pack })) }],
    env: 'disable',
  })
  rmSync(pack)
  if (!success) throw new Error(logs.map(({ message }) => message).join('\n'))
}

/** Packs a folder. The same files give the same bytes. @returns the archive, and the size of each file */
async function archiveOf(folder: string): Promise<{ archive: Buffer; sizes: Record<string, number> }> {
  const sizes: Record<string, number> = {}
  const files = tar()
  const whole = buffer(files)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = join(folder, name)
    const stat = statSync(path)
    if (!stat.isFile()) continue
    sizes[name] = stat.size
    const mode = (stat.mode & 0o111) === 0 ? 0o644 : 0o755
    files.entry({ name, mode, mtime: new Date(0), uid: 0, gid: 0, type: 'file' }, readFileSync(path))
  }
  files.finalize()
  return { archive: await whole, sizes }
}
