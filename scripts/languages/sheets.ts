import { readdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Browser } from '@playwright/test'

/** About what one sees at once without scrolling, in pixels. */
const SHEET = { width: 1560, height: 1300 }
const GAP = 10
const CAPTION = 18
/** Of a picture on a sheet. */
const WIDTHS = { wide: 760, narrow: 250 }

/** Lays the pictures of a folder out on sheets, as many on each as can be told apart. @returns how many sheets there are */
export async function makeSheets(browser: Browser, folder: string, { width, height }: { width: number; height: number }): Promise<number> {
  const old = (await readdir(folder)).filter((name) => name.startsWith('sheet-'))
  for (const name of old) await rm(join(folder, name))
  const pictures = (await readdir(folder)).filter((name) => name.endsWith('.png') && !name.startsWith('sheet-')).toSorted()
  const drawn = width < 500 ? WIDTHS.narrow : WIDTHS.wide
  const columns = Math.floor(SHEET.width / (drawn + GAP))
  const rows = Math.max(1, Math.floor(SHEET.height / ((drawn / width) * height + GAP + CAPTION)))
  const page = await browser.newPage({ viewport: { width: columns * (drawn + GAP) + GAP, height: 400 } })
  const each = columns * rows
  const sheets = Array.from({ length: Math.ceil(pictures.length / each) }, (_, at) => pictures.slice(at * each, (at + 1) * each))
  for (const [at, names] of sheets.entries()) {
    const file = join(folder, 'sheet.html')
    await writeFile(file, htmlOf(names, { drawn, columns, most: Math.round((drawn / width) * height) }))
    await page.goto(`file://${file}`)
    await page.screenshot({ path: join(folder, `sheet-${String(at + 1).padStart(2, '0')}.png`), fullPage: true })
    await rm(file)
  }
  await page.close()
  return sheets.length
}

function htmlOf(names: readonly string[], { drawn, columns, most }: { drawn: number; columns: number; most: number }): string {
  const style = [
    `body{margin:${GAP}px;background:#8a8a8a;font:13px sans-serif;display:grid;grid-template-columns:repeat(${columns},${drawn}px);gap:${GAP}px}`,
    // Of what is longer than a window, its beginning.
    `figure{margin:0;max-height:${most + CAPTION}px;overflow:hidden}img{width:100%;display:block}figcaption{background:#ffd;height:${CAPTION}px;padding:0 6px}`,
  ].join('')
  const cells = names.map((name) => `<figure><figcaption>${basename(name, '.png')}</figcaption><img src="${name}"></figure>`)
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>${cells.join('')}`
}
