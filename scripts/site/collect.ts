import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { FROM, SECTIONS } from '../../site/pages.ts'
import { openApi } from '../openapi/document.ts'
import { apiPages } from './api-pages.ts'

const HOME = join(import.meta.dir, '../..')

/** Where a page of the site comes from, relative to the repository. */
function sourceOf(page: string): string {
  return FROM[page] ?? `docs/${page}`
}

/** Every Markdown page of the site that is a file of the repository: those of the menu, and the decisions. */
export function pagesFromFiles(): string[] {
  const decisions = readdirSync(join(HOME, 'docs/decisions')).filter((name) => /^\d{3}-/.test(name))
  const menu = SECTIONS.flatMap(({ pages }) => pages.map(({ file }) => file)).filter((file) => !file.startsWith('api/'))
  return [...menu, ...decisions.map((name) => `decisions/${name}`)]
}

/** Writes the sources of the site into `folder`, which it empties first. */
export async function collectPages(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const write = (page: string, text: string): void => {
    mkdirSync(dirname(join(folder, page)), { recursive: true })
    writeFileSync(join(folder, page), text)
  }
  const pages = pagesFromFiles()
  const bySource = new Map(pages.map((page) => [sourceOf(page), page]))
  for (const page of pages) write(page, withSiteLinks(readFileSync(join(HOME, sourceOf(page)), 'utf8'), page, bySource))
  write('index.md', readFileSync(join(HOME, 'site/home.md'), 'utf8'))
  const api = await openApi()
  for (const { file, text } of apiPages(api)) write(`api/${file}`, text)
  write('public/api/openapi.json', JSON.stringify(api, null, 2))
  cpSync(join(HOME, 'docs/pictures'), join(folder, 'public/pictures'), { recursive: true })
  cpSync(join(HOME, 'src/web/public/img/logo.svg'), join(folder, 'public/logo.svg'))
}

/**
 * Links between files of the repository become links between pages; a link to a file that is not a page becomes its name. Names of pages in code
 * font (`docs/backup.md`) become links.
 */
export function withSiteLinks(text: string, page: string, bySource: ReadonlyMap<string, string>): string {
  const from = posix.dirname(sourceOf(page))
  const toPage = (source: string): string | undefined => {
    const target = bySource.get(source)
    return target === undefined ? undefined : posix.relative(posix.dirname(page), target).replace(/^(?!\.)/, './')
  }
  const outsideCode = text.split(/(```[^]*?```)/)
  return outsideCode
    .map((part) => {
      if (part.startsWith('```')) return part
      return part
        .replace(/\[([^\]]*)\]\(([^():\s#]+)(#[^)\s]*)?\)/g, (whole, words: string, link: string, anchor = '') => {
          const source = posix.normalize(posix.join(from, link))
          if (source.startsWith('docs/pictures/')) return `[${words}](/${source.slice('docs/'.length)})`
          const target = toPage(source)
          if (target !== undefined) return `[${words}](${target}${anchor})`
          return existsSync(join(HOME, source)) ? words : whole
        })
        .replace(/(?<!\[)`((?:docs\/)?[\w./-]+\.md)`(?!\])/g, (whole, name: string) => {
          const target = toPage(name)
          return target === undefined || bySource.get(name) === page ? whole : `[${titleOf(bySource.get(name) ?? '')}](${target})`
        })
        .replace(/<(?=[A-Za-z][\w-]*>)(?!br>|code|a |kbd>|sup>|sub>)/g, '&lt;')
    })
    .join('')
}

function titleOf(page: string): string {
  return SECTIONS.flatMap(({ pages }) => pages).find(({ file }) => file === page)?.title ?? page
}
