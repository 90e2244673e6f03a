import { open, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Browser } from '@playwright/test'

/** About what one sees at once without scrolling, in pixels. */
const SHEET = { width: 1560, height: 1300 }
const GAP = 10
const CAPTION = 18
/** Of a picture on a sheet. */
const WIDTHS = { wide: 760, tablet: 510, phone: 250 }
/** Of a PNG, up to its width and height. */
const HEAD_BYTES = 24

interface Picture {
  readonly name: string
  readonly height: number
}

/** Lays the pictures of a folder out on sheets, as many on each as can be told apart; the long ones come last. @returns how many sheets there are */
export async function makeSheets(browser: Browser, folder: string, { width, height }: { width: number; height: number }): Promise<number> {
  const pictures = await picturesIn(folder)
  const drawn = width < 500 ? WIDTHS.phone : width < 1100 ? WIDTHS.tablet : WIDTHS.wide
  const columns = Math.floor(SHEET.width / (drawn + GAP))
  const rows = Math.max(1, Math.floor(SHEET.height / ((drawn / width) * height + GAP + CAPTION)))
  const isLong = (picture: Picture): boolean => picture.height > height * 1.3
  const sheets = [
    ...partsOf(
      pictures.filter((one) => !isLong(one)),
      columns * rows,
    ),
    ...partsOf(pictures.filter(isLong), columns),
  ]
  const page = await browser.newPage({ viewport: { width: columns * (drawn + GAP) + GAP, height: 400 } })
  for (const [at, names] of sheets.entries()) {
    const file = join(folder, 'sheet.html')
    await writeFile(file, htmlOf(names, { drawn, columns }))
    await page.goto(`file://${file}`)
    await page.screenshot({ path: join(folder, `sheet-${String(at + 1).padStart(2, '0')}.png`), fullPage: true })
    await rm(file)
  }
  await page.close()
  return sheets.length
}

async function picturesIn(folder: string): Promise<Picture[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png') && !name.startsWith('sheet-')).toSorted()
  return Promise.all(names.map(async (name) => ({ name, height: await heightOf(join(folder, name)) })))
}

async function heightOf(file: string): Promise<number> {
  await using handle = await open(file)
  const { buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.readUInt32BE(HEAD_BYTES - 4)
}

function partsOf(pictures: readonly Picture[], most: number): string[][] {
  return Array.from({ length: Math.ceil(pictures.length / most) }, (_, at) =>
    pictures.slice(at * most, (at + 1) * most).map(({ name }) => name),
  )
}

function htmlOf(names: readonly string[], { drawn, columns }: { drawn: number; columns: number }): string {
  const style = [
    `body{margin:${GAP}px;background:#8a8a8a;font:13px sans-serif}`,
    `body{display:grid;align-items:start;grid-template-columns:repeat(${columns},${drawn}px);gap:${GAP}px}`,
    `figure{margin:0}img{width:100%;display:block}figcaption{background:#ffd;height:${CAPTION}px;padding:0 6px}`,
  ].join('')
  const cells = names.map((name) => `<figure><figcaption>${basename(name, '.png')}</figcaption><img src="${name}"></figure>`)
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>${cells.join('')}`
}
