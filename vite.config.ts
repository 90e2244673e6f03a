import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { isEarly } from './scripts/lib/early-messages.mjs'
import { WEB_PACKAGES } from './scripts/lib/web.mjs'

const root = fileURLToPath(new URL('src/web', import.meta.url))
const catalogues = resolve(root, 'i18n')

export default defineConfig({
  root,
  // Every asset is found relative to the module that asks, so one build serves any base URL.
  base: './',
  plugins: [messages(), layers(), react(), page(), pdfFiles(), contents()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // `light-dark()` and friends as written.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // PDF.js, which is loaded when a PDF is opened.
    chunkSizeWarningLimit: 700,
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page needs comes in two files: libraries, which outlive upgrades in the browser's cache, and ours.
            { name: 'vendor', tags: ['$initial'], test: /node_modules/, priority: 2 },
            { name: 'app', tags: ['$initial'], priority: 1 },
            // Dialogs and menus: fetched when the page is idle or one is wanted, never before the first rows.
            // A screen and what only it needs is a file; what it shares with others, icons mostly, would be fifty more.
            { name: sharedByPages(), debugName: 'shared', minShareCount: 2, includeDependenciesRecursively: false },
            { name: 'overlays', test: /node_modules[\\/](@base-ui|@floating-ui|reselect|tabbable)/, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
})

/** What the pages that a visit may begin with load before anything is on show. */
const PAGES = {
  files: ['app/layout.tsx', 'screens/files/files-screen.tsx'],
  login: ['screens/login/login-screen.tsx'],
  share: ['app/share-layout.tsx', 'screens/share/share-screen.tsx'],
}

/** Names a module by the pages that need it at once, so that each page gets what it shares in as few files as there are such sets. */
function sharedByPages(): Rolldown.CodeSplittingNameFunction {
  let needs: readonly { entry: string; ids: ReadonlySet<string> }[] | undefined
  return (id, chunking) => {
    needs ??= Object.entries(PAGES).map(([entry, files]) => ({ entry, ids: importedFrom(files, (one) => chunking.getModuleInfo(one)) }))
    const pages = needs.filter(({ ids }) => ids.has(id)).map(({ entry }) => entry)
    return pages.length === 0 ? null : `shared-${pages.join('-')}`
  }
}

/** Everything that is imported by these files and not later than they are. */
function importedFrom(files: readonly string[], getModuleInfo: Rolldown.GetModuleInfo): ReadonlySet<string> {
  const ids = new Set(files.map((file) => resolve(root, file)))
  for (const id of ids) for (const imported of getModuleInfo(id)?.importedIds ?? []) ids.add(imported)
  return ids
}

/**
 * ICU catalogues become what the run time reads; a message that does not parse stops the build. Each comes in two parts: `de.json` holds what the
 * first rows need, `de.json?late` the rest.
 */
function messages(): Plugin {
  const mark = '\0messages:'
  const LATE = '?late'
  return {
    name: 'satchel-messages',
    enforce: 'pre',
    resolveId(source, importer) {
      const name = source.replace(/\?late$/, '')
      if (importer === undefined || !name.endsWith('.json')) return null
      const file = resolve(dirname(importer), name)
      // Without `.json` at its end, or the JSON plugin would read the module as JSON again.
      return dirname(file) === catalogues ? `${mark}${basename(file, '.json')}${source.slice(name.length)}` : null
    },
    async load(id) {
      if (!id.startsWith(mark)) return null
      const isLate = id.endsWith(LATE)
      const file = resolve(catalogues, `${id.slice(mark.length).replace(LATE, '')}.json`)
      this.addWatchFile(file)
      const texts: Record<string, string> = JSON.parse(await readFile(file, 'utf8'))
      const part = Object.entries(texts).filter(([key]) => isEarly(key) !== isLate)
      const compiled = part.map(([key, text]) => [key, compileMessageOrThrow(text)])
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(compiled)))})`
    },
  }
}

/** Puts each CSS module into the layer of its folder, `ui` or `app`, unless it names its layer itself. `ui/tokens.css` has the order of the layers. */
function layers(): Plugin {
  return {
    name: 'satchel-layers',
    enforce: 'pre',
    transform(css, id) {
      if (!id.endsWith('.module.css') || css.includes('@layer ')) return null
      return `@layer ${id.startsWith(resolve(root, 'ui')) ? 'ui' : 'app'} {\n${css}}`
    },
  }
}

/** Fetches the text font early, and holds the first paint for the entry: before it runs there is nothing to see but a wrong theme. */
function page(): Plugin {
  return {
    name: 'satchel-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /onest-latin-wght-normal.*\.woff2$/.test(name))
        const ready = html.replaceAll('<script type="module" crossorigin', '<script type="module" crossorigin blocking="render"')
        if (font === undefined) return ready
        return {
          html: ready,
          tags: [
            {
              tag: 'link',
              injectTo: 'head',
              attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `./${font}`, crossorigin: true },
            },
          ],
        }
      },
    },
  }
}

/** What PDF.js loads by name: its thread, decoders, character maps and the fonts that every PDF may name (`viewers/pdf/pdf-files.ts`). */
function pdfFiles(): Plugin {
  const home = resolve(import.meta.dirname, 'node_modules/pdfjs-dist')
  return {
    name: 'satchel-pdf-files',
    async generateBundle() {
      const { version } = JSON.parse(await readFile(resolve(home, 'package.json'), 'utf8'))
      const emit = async (file: string, name = basename(file)) =>
        this.emitFile({ type: 'asset', fileName: `assets/pdfjs-${version}/${name}`, source: await readFile(resolve(home, file)) })
      await emit('build/pdf.worker.min.mjs', 'pdf.worker.js')
      for (const [folder, pattern] of PDF_FOLDERS)
        for (const name of await readdir(resolve(home, folder))) if (pattern.test(name)) await emit(`${folder}/${name}`)
    },
  }
}

const PDF_FOLDERS = [
  ['cmaps', /\.bcmap$/],
  ['standard_fonts', /\.(pfb|ttf)$/],
  ['wasm', /_nowasm_fallback\.js$/],
] as const

/** Lists the files of packages that went in, for the licences and components of a release (`scripts/release/components.ts`). */
function contents(): Plugin {
  return {
    name: 'satchel-contents',
    async generateBundle() {
      const inside = [...this.getModuleIds()].filter((id) => id.includes('/node_modules/')).map((id) => relative(import.meta.dirname, id))
      await writeFile(WEB_PACKAGES, JSON.stringify(inside.toSorted()))
    },
  }
}
