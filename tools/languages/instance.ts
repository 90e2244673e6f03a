import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { zipOf } from '../../test/contract/archive-samples.ts'
import { share } from '../../test/e2e/links.ts'
import { PDF, PNG, WAV, WEBM } from '../../test/e2e/samples.ts'
import { PASSWORD, type Served } from '../../test/e2e/server.ts'

/** A name that no phone has room for. */
export const LONG_NAME = 'Jahresabschlussbesprechungsprotokoll_2026_endgueltig_korrigiert (3).txt'

/** Names of links, each of its kind. */
export interface Links {
  readonly folder: string
  readonly file: string
  readonly album: string
  readonly limited: string
  readonly look: string
  readonly drop: string
  readonly locked: string
  readonly later: string
}

/** Files of every kind that the screens show, and links to some of them. */
export async function fillInstance(served: Served): Promise<Links> {
  await served.write('photo.png', PNG)
  await served.write('broken.png', 'no picture')
  await served.write('plan.txt', 'a plan\n')
  await served.write('table.csv', 'name,size\na,1\nb,2\n')
  await served.write('docs/inside.txt', 'a text\n')
  await served.write('blob.xyz', new Uint8Array([0, 1]))
  await served.write(LONG_NAME, 'a text\n')
  await served.write('ملف مهم.txt', 'text')
  await mkdir(join(served.root, 'empty'))
  await writeFile(join(served.root, '写真 京都 012.heic'), 'x')
  for (const [at, hue] of [95, 140, 200, 265, 320, 20, 60].entries())
    await served.write(`album/IMG_2026071${at}_091233.jpg`, await photo(hue))
  await served.write('album/Lake.webm', WEBM)
  await served.write('media/film.webm', WEBM)
  await served.write('media/interview.wav', WAV)
  await served.write('media/report.pdf', PDF)
  await served.write('media/letter.docx', DOCX)
  await served.write('media/papers.zip', zipOf(['a.txt', 'notes/b.md', 'notes/c.csv'].map((name) => ({ name, text: name.repeat(40) }))))
  for (const name of ['one.bin', 'two.bin', 'older/three.bin']) await served.write(`copies/${name}`, new Uint8Array(300_000).fill(7))
  const links = {
    folder: await share(served, '/'),
    file: await share(served, '/album/IMG_20260710_091233.jpg', { expires: '6', unit: 'days' }),
    album: await share(served, '/album', { title: 'A week at the lake', expires: '6', unit: 'days' }),
    limited: await share(served, '/', { maxDownloads: 3, title: 'Papers', message: 'Hello', expires: '48', unit: 'hours' }),
    look: await share(served, '/', { rights: 'view' }),
    drop: await share(served, '/empty', {
      rights: 'drop',
      expires: '6',
      unit: 'days',
      drop: { maxFile: 1e8, maxFiles: 2, maxBytes: 1e9, types: ['jpg'] },
    }),
    locked: await share(served, '/empty', { password: PASSWORD }),
    later: await share(served, '/empty', { starts: Math.floor(Date.now() / 1000) + 100_000 }),
  }
  await fetch(`${served.url}/api/public/share/${links.folder}`)
  return links
}

const DOCX = zipOf([
  { name: '[Content_Types].xml', text: '<Types/>' },
  {
    name: 'word/document.xml',
    text: `<w:document>${'<w:p><w:t>Dear Ann,</w:t></w:p><w:p><w:t>the budget for the house by the lake is ready, and the figures are below.</w:t></w:p>'.repeat(4)}</w:document>`,
  },
])

/** Hills at some time of the day. */
async function photo(hue: number): Promise<Buffer> {
  const sky = `<linearGradient id="g" x2="0" y2="1"><stop stop-color="hsl(${hue} 55% 76%)"/><stop offset="1" stop-color="hsl(${hue + 40} 60% 88%)"/></linearGradient>`
  const hill = (y: number, light: number): string =>
    `<path d="M0 ${y}C220 ${y - 150} 380 ${y + 60} 560 ${y - 60}S800 ${y - 90} 900 ${y - 20}V600H0z" fill="hsl(${hue + 60} 32% ${light}%)"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600">${sky}<rect width="900" height="600" fill="url(#g)"/><circle cx="${640 - hue}" cy="170" r="54" fill="hsl(${hue} 80% 92%)"/>${hill(330, 52)}${hill(430, 38)}${hill(530, 26)}</svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer()
}
