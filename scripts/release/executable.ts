import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOME } from '../../src/server/entries/entries.ts'
import type { Tree } from './tree.ts'

/** Of zstd, for what is published. */
const BEST_LEVEL = 19

/** Compiles one file that holds the tree and the runtime. Throws what the compiler says. */
export async function compile({ folder, runtime, main }: Tree, outfile: string, { level = BEST_LEVEL } = {}): Promise<void> {
  const { archive, sizes } = archiveOf(folder)
  const pack = `${outfile}.zst`
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
      PACK_HASH: JSON.stringify(createHash('sha256').update(JSON.stringify(sizes)).update(archive).digest('hex').slice(0, 32)),
      PACK_FILES: JSON.stringify(sizes),
      MAIN: JSON.stringify(main),
    },
    minify: true,
    plugins: [{ name: 'pack', setup: (builder) => void builder.onResolve({ filter: /^satchel\.zst$/ }, () => ({ path: pack })) }],
    env: 'disable',
  })
  rmSync(pack)
  if (!success) throw new Error(logs.map(({ message }) => message).join('\n'))
}

/** The same files give the same bytes. @returns the contents of all files of a folder, one after another, and the size of each in this order */
function archiveOf(folder: string): { archive: Buffer<ArrayBuffer>; sizes: Record<string, number> } {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  const contents = files.map((name) => readFileSync(join(folder, name)))
  return { archive: Buffer.concat(contents), sizes: Object.fromEntries(files.map((name, at) => [name, contents[at]?.length ?? 0])) }
}
