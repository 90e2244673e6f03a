import { describe, expect, it } from 'bun:test'
import type { SearchHit } from '../../src/shared/contract/search.ts'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { zipOf } from './archive-samples.ts'
import { CLIMBS } from './spellings.ts'
import { until } from './until.ts'
import { deny, EVERYTHING, onEachStorage, type Product, startProduct } from './world.ts'

const LINES = { accept: 'application/x-ndjson' }

onEachStorage((product) => {
  const found = async (query: string, { who = 'ann', from = '/' } = {}) =>
    (
      await product()
        .as(who)
        .search.run({ params: { path: at(from) }, query: { query } })
    ).map(({ path }) => path)

  describe('a search', () => {
    it('finds names below a folder, not the folder itself, with paths as seen from it', async () => {
      await product().seed({ '/docs/docs.txt': '', '/docs/more/a docs.md': '', '/other/docs.txt': '' })
      const hits = await product()
        .as('ann')
        .search.run({ params: { path: at('/docs'), slash: true }, query: { query: 'docs' } })
      expect(hits).toEqual([
        { path: 'docs.txt', dir: false, url: '/files/docs/docs.txt' },
        { path: 'more/a docs.md', dir: false, url: '/files/docs/more/a%20docs.md' },
      ])
      expect(await found('MORE', { from: '/docs' })).toEqual(['more'])
    })

    it('ranks exact names first, then prefixes, word starts and substrings', async () => {
      await product().seed({ '/explanation': '', '/my-plan': '', '/planet': '', '/x/plan': '' })
      expect(await found('plan')).toEqual(['x/plan', 'planet', 'my-plan', 'explanation'])
    })

    it('supports types, phrases and case', async () => {
      await product().seed({ '/a.JPG': '', '/a.mp3': '', '/b/two words.PDF': '', '/two.txt': '', '/jpg.jpg/': '' })
      expect(await found('type:image')).toEqual(['a.JPG'])
      expect(await found('type:music type:pdf')).toEqual(['a.mp3', 'b/two words.PDF'])
      expect(await found('"two words"')).toEqual(['b/two words.PDF'])
      expect(await found('TWO case:sensitive')).toEqual([])
      expect(await found('zebra  two')).toEqual(['two.txt', 'b/two words.PDF'])
    })

    it('U10: finds names with any of the words as the predecessor did, and with all of them when asked (`match=all`)', async () => {
      await product().seed({ '/summer report.txt': '', '/report.txt': '', '/x/report of summer.md': '', '/summer.txt': '' })
      expect((await found('report summer')).length).toBe(4)
      const all = await product()
        .as('ann')
        .search.run({ params: { path: ROOT }, query: { query: 'report summer', match: 'all' } })
      expect(all.map(({ path }) => path)).toEqual(['summer report.txt', 'x/report of summer.md'])
    })

    it('finds everything with an empty query, and nothing in a file', async () => {
      await product().seed({ '/a.txt': '', '/b/': '' })
      expect(await found('')).toEqual(['a.txt', 'b'].toSorted((a, b) => a.length - b.length))
      expect(await found('a', { from: '/a.txt' })).toEqual([])
      expect(await found('a', { from: '/none' })).toEqual([])
      expect((await product().ask('/api/search/', { who: 'ann' })).status).toBe(200)
    })

    it('respects scope, rules of both kinds and hidden names', async () => {
      await product().seed({
        '/ben/a-x': '',
        '/ben/no/b-x': '',
        '/ben/.dot/c-x': '',
        '/ben/.d-x': '',
        '/ben/e-x.tmp': '',
        '/other/f-x': '',
      })
      const pattern = { regex: true, allow: false, path: '', regexp: { raw: '\\.tmp$' } }
      await product().add('ben', { scope: '/ben', hideDotfiles: true, rules: [deny('/no'), pattern] })
      expect(await found('', { who: 'ben' })).toEqual(['a-x'])
      for (const from of ['/no', '/.dot', '/none']) {
        const response = await product().ask(`/api/search${from}/?query=x`, { who: 'ben' })
        expect({ from, status: response.status, told: await response.json() }).toEqual({ from, status: 200, told: [] })
      }
    })

    it('does not descend where a rule denies, though a later rule allows a part of it', async () => {
      await product().seed({ '/no/yes/a-x': '' })
      await product().add('ben', { rules: [deny('/no'), { ...deny('/no/yes'), allow: true }] })
      expect(await found('x', { who: 'ben' })).toEqual([])
      expect(await found('x', { who: 'ben', from: '/no/yes' })).toEqual(['a-x'])
    })

    it('lists links by their own name and follows none (GHSA-7w29-q235-57m9, GHSA-239w-m3h6-ch8v)', async () => {
      await product().seed({ '/secret/key-x': '', '/pub/a-x': '' })
      await product().link('/pub/to-secret', '../secret')
      await product().link('/pub/out', '/etc')
      await product().link('/pub/loop', '.')
      await product().setRules('ann', [deny('/secret')])
      expect(await found('x', { from: '/pub' })).toEqual(['a-x'])
      expect(await found('x', { from: '/pub/to-secret' })).toEqual([])
      expect(await found('passwd', { from: '/pub/out' })).toEqual([])
      expect((await found('o', { from: '/pub' })).toSorted()).toEqual(['loop', 'out', 'to-secret'])
    })

    it('never finds private folders', async () => {
      await product().seed({ '/a.txt': '' })
      const staged = product().storage.stage('half-done', { near: ROOT })
      await staged.append(new TextEncoder().encode('half'))
      for (const query of ['satchel', 'half-done', 'staging']) expect(await found(query)).toEqual([])
      expect(await found('', { from: '/.satchel' })).toEqual([])
      await staged.discard()
    })

    it('cannot leave the scope in any spelling (I1)', async () => {
      await product().seed({ '/ben/a-x': '', '/outside-x': '' })
      await product().add('ben', { scope: '/ben' })
      for (const climb of CLIMBS) {
        const response = await product().ask(`/api/search/${climb}?query=x`, { who: 'ben' })
        expect({ climb, told: (await response.text()).includes('outside-x') }).toEqual({ climb, told: false })
        expect([200, 400, 404]).toContain(response.status)
      }
    })

    it('returns hostile names unchanged, with working URLs', async () => {
      const names = ['100 %-x', 'a%2fb-x', 'q?x#x', '<img src=x>', 'l\nine-x', '"quoted" x', '\u202etxt.x', 'ünï-x', 'back\\slash-x']
      await product().seed(Object.fromEntries(names.map((name) => [`/in/${name}`, name])))
      const hits = await product()
        .as('ann')
        .search.run({ params: { path: ROOT }, query: { query: 'x' } })
      expect(hits.map(({ path }) => path.slice('in/'.length)).toSorted()).toEqual(names.toSorted())
      for (const { path, url } of hits) {
        const response = await product().ask(url.replace('/files', '/api/raw'), { who: 'ann' })
        expect(await response.text()).toBe(path.slice('in/'.length))
      }
      expect(await found('100 %')).toContain('in/100 %-x')
      expect(await found('"100 %-x"')).toEqual(['in/100 %-x'])
    })

    it('refuses a query that is too long or given twice', async () => {
      for (const query of [`query=${'x'.repeat(513)}`, 'query=a&query=b'])
        expect((await product().ask(`/api/search/?${query}`, { who: 'ann' })).status).toBe(400)
    })

    it('reports if it is incomplete, also in the last line', async () => {
      await product().seed({ [`${'/d'.repeat(102)}/deep-x`]: '', '/shallow-x': '' })
      const array = await product().ask('/api/search/?query=-x', { who: 'ann' })
      expect(array.headers.get('x-search-cut')).toBe('depth')
      expect(((await array.json()) as SearchHit[]).map(({ path }) => path)).toEqual(['shallow-x'])
      expect((await lines(product(), '/api/search/?query=-x')).at(-1)).toEqual({ end: true, cut: 'depth' })
      const whole = await product().ask('/api/search/?query=shallow', { who: 'ann' })
      expect(whole.headers.get('x-search-cut')).toBe('depth')
    })
  })

  describe('lines', () => {
    it('are one for each hit, with a final line', async () => {
      await product().seed({ '/a-x': '', '/b/c-x': '', '/x/': '' })
      expect(await lines(product(), '/api/search/?query=x')).toEqual([
        { path: 'a-x', dir: false, url: '/files/a-x' },
        { path: 'b/c-x', dir: false, url: '/files/b/c-x' },
        { path: 'x', dir: true, url: '/files/x/' },
        { end: true, cut: null },
      ])
    })

    it('are sent on request; otherwise there is an array', async () => {
      await product().seed({ '/a-x': '' })
      for (const accept of ['*/*', 'application/json', 'text/html'])
        expect(await (await product().ask('/api/search/?query=x', { who: 'ann', headers: { accept } })).json()).toHaveLength(1)
    })
  })

  describe('a content search', () => {
    const NEEDLES = { '/in/a.txt': 'hay\n\tA Needle here\n', '/in/needle.md': 'hay', '/b.bin': 'needle' }

    it('returns the position of the text, as an array and as lines', async () => {
      await product().seed(NEEDLES)
      const hit = {
        path: 'in/a.txt',
        dir: false,
        url: '/files/in/a.txt',
        snippets: [{ line: 2, page: null, place: [3, 9], text: 'A Needle here', marks: [[2, 8]] }],
      }
      const query = { query: 'content:needle' }
      expect(
        await product()
          .as('ann')
          .search.run({ params: { path: ROOT }, query }),
      ).toEqual([hit as SearchHit])
      expect(await lines(product(), '/api/search/?query=content:needle')).toEqual([hit, { end: true, cut: null }])
      expect(await lines(product(), '/api/search/?query=needle')).toEqual([
        { path: 'in/needle.md', dir: false, url: '/files/in/needle.md' },
        { end: true, cut: null },
      ])
      expect(await found('a content:"needle here" -content:nothing')).toEqual(['in/a.txt'])
    })

    it('requires the download right, unlike names (I5, GHSA-67cg-cpj7-qgc9)', async () => {
      await product().seed(NEEDLES)
      await product().add('ben', { may: { ...EVERYTHING, download: false } })
      for (const query of ['content:needle', 'content:nowhere', '-content:needle', 'a content:"x'])
        for (const headers of [LINES, { accept: 'application/json' }]) {
          const response = await product().ask(`/api/search/?query=${encodeURIComponent(query)}`, { who: 'ben', headers })
          const cut = response.headers.get('x-search-cut')
          const text = await response.text()
          expect({ query, status: response.status, cut, isSame: text.includes('403') || text.includes('"download"') }).toEqual({
            query,
            status: 403,
            cut: null,
            isSame: true,
          })
        }
      expect(await found('needle', { who: 'ben' })).toEqual(['in/needle.md'])
    })

    it('is limited to two for each user and four in total; an aborted one makes room (R9)', async () => {
      await product().seed(NEEDLES)
      const slow = hold(product())
      const left = new AbortController()
      const ask = (who: string, signal?: AbortSignal) => product().ask('/api/search/?query=content:needle', { who, headers: LINES, signal })
      for (const who of ['ben', 'eve']) await product().add(who)
      const first = await ask('ann', left.signal)
      await until(() => slow.asked() === 1)
      const others = [await ask('ann')]
      const third = await ask('ann')
      expect([third.status, third.headers.get('retry-after')]).toEqual([429, '2'])
      others.push(await ask('ben'), await ask('ben'))
      expect((await ask('eve')).status).toBe(429)
      expect((await product().ask('/api/search/?query=x', { who: 'eve', headers: LINES })).status).toBe(200)
      await leave(first, left)
      await slow.left
      others.push(await ask('eve'))
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      slow.goOn()
      for (const response of others) expect(await response.text()).toContain('A Needle here')
    })
  })

  it('each user has at most four searches; an aborted one makes room (R9)', async () => {
    await product().seed({ '/a-x': '' })
    const slow = hold(product())
    const ask = (who: string, signal?: AbortSignal) => product().ask('/api/search/?query=x', { who, headers: LINES, signal })
    const left = new AbortController()
    const first = await ask('ann', left.signal)
    await until(() => slow.asked() === 1)
    const others = await Promise.all([ask('ann'), ask('ann'), ask('ann')])
    const fifth = await ask('ann')
    expect([fifth.status, fifth.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await ask('root')).status).toBe(200)
    await leave(first, left)
    await slow.left
    // What it held is given back in the same iteration of the event loop, but not in the same step.
    await Bun.sleep(0)
    const sixth = await ask('ann')
    expect(sixth.status).toBe(200)
    slow.goOn()
    for (const response of [...others, sixth]) expect(await response.text()).toContain('"a-x"')
  })

  it('a client that disconnects ends its search at once', async () => {
    await product().seed(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`/d${n}/a-x`, ''])))
    const slow = hold(product())
    const left = new AbortController()
    const first = await product().ask('/api/search/?query=x', { who: 'ann', headers: LINES, signal: left.signal })
    await until(() => slow.asked() === 1)
    await leave(first, left)
    await slow.left
    slow.goOn()
    expect(await found('x')).toHaveLength(40)
    expect(slow.asked()).toBe(1 + 41)
  })
})

describe('a content search on a disk', () => {
  it('reads PDFs page by page if a program for it is installed, and again when they change', async () => {
    await using product = await startProduct({ storage: 'local' })
    const search = () => product.as('ann').search.run({ params: { path: ROOT }, query: { query: 'content:"the needle"' } })
    await product.seed({ '/a.pdf': pdf('hay', 'see the needle'), '/broken.pdf': '%PDF-1.4 the needle', '/none.pdf': pdf('hay') })
    const hit = { path: 'a.pdf', dir: false, url: '/files/a.pdf' }
    const onPage = (page: number) => [{ line: null, page, place: null, text: 'see the needle', marks: [[4, 14]] }]
    for (let times = 0; times < 2; times++) expect(await search()).toEqual([{ ...hit, snippets: onPage(2) } as SearchHit])
    await product.seed({ '/a.pdf': pdf('see the needle', 'hay', 'hay') })
    expect(await search()).toEqual([{ ...hit, snippets: onPage(1) } as SearchHit])
  })

  it('reads office documents and books, and hostile ones do not block it', async () => {
    await using product = await startProduct({ storage: 'local' })
    const text = '<w:p><w:t>see the nee</w:t></w:r><w:r><w:t>dle</w:t></w:p>'
    const endless = `<w:p><w:t>the needle</w:t></w:p>${'<'.repeat(40_000_000)}`
    await product.seed({
      '/a.docx': zipOf([
        { name: 'word/styles.xml', text: 'the needle' },
        { name: 'word/document.xml', text, deflate: true },
      ]),
      '/b.epub': zipOf([{ name: 'OEBPS/one.xhtml', text: '<p>hay</p>' }]),
      '/bomb.odt': zipOf([{ name: 'content.xml', text: endless, deflate: true }]),
      '/closed.docx': zipOf([{ name: 'word/document.xml', text, flags: 1 }]),
      '/liar.docx': zipOf([{ name: 'word/document.xml', text, size: 5, deflate: true }]),
      '/no.xlsx': 'the needle',
    })
    const hits = await product.as('ann').search.run({ params: { path: ROOT }, query: { query: 'content:"the needle"' } })
    expect(hits.find(({ path }) => path === 'a.docx')).toEqual({
      path: 'a.docx',
      dir: false,
      url: '/files/a.docx',
      snippets: [{ line: null, page: null, place: null, text: 'see the needle', marks: [[4, 14]] }],
    })
    expect(hits.map(({ path }) => path).sort()).toEqual(['a.docx', 'bomb.odt'])
  })

  it('U10: reports progress as the number of files read, in our form only', async () => {
    const told = Promise.withResolvers<void>()
    await using product = await startProduct({
      around: (storage) => ({
        ...storage,
        async readSmall(folder, ...rest) {
          if (folder === at('/slow')) await told.promise
          return storage.readSmall(folder, ...rest)
        },
      }),
    })
    // More than are read together, so that some are read without the slow one.
    const fast = Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`/fast/${n}.txt`, 'hay']))
    await product.seed({ ...fast, '/slow/a.txt': 'the needle' })
    const response = await product.ask('/api/search/?query=content:needle', { who: 'ann', headers: LINES })
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk)
      if (text.includes('{"read":')) told.resolve()
    }
    const all = text.split('\n').filter((line) => line !== '')
    expect(all).toContain('{"end":true,"cut":null}')
    expect(all.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining({ path: 'slow/a.txt' }))
    expect(await product.as('ann').search.run({ params: { path: ROOT }, query: { query: 'content:needle' } })).toHaveLength(1)
  })

  it('U7: returns the text of a document to users with the download permission, and nothing for other files', async () => {
    await using product = await startProduct({ storage: 'local' })
    const words = '<w:p><w:t>Dear Ann,</w:t></w:p><w:p><w:t>the budget</w:t></w:p>'
    await product.seed({
      '/a.docx': zipOf([{ name: 'word/document.xml', text: words, deflate: true }]),
      '/long.docx': zipOf([{ name: 'word/document.xml', text: `<w:p>${'ä'.repeat(600_000)}</w:p>`, deflate: true }]),
      '/no.docx': 'no zip',
      '/a.txt': 'text',
    })
    const textOf = (path: string) => product.as('ann').search.documentText({ params: { path: at(path) } })
    expect(await textOf('/a.docx')).toEqual({ text: 'Dear Ann,\nthe budget', isCut: false })
    const long = await textOf('/long.docx')
    expect(long.isCut).toBe(true)
    expect(long.text).toMatch(/^ä+$/)
    for (const path of ['/no.docx', '/a.txt']) expect(await textOf(path)).toEqual({ text: '', isCut: false })
  })

  it('does not read pipes, devices or links to outside', async () => {
    await using product = await startProduct({ storage: 'local' })
    await product.seed({ '/a.txt': 'root:x needle' })
    await Bun.$`mkfifo ${product.root}/pipe.txt`
    await product.link('/passwd.txt', '/etc/passwd')
    await product.link('/endless.txt', '/dev/zero')
    const hits = await product.as('ann').search.run({ params: { path: ROOT }, query: { query: 'content:root:x' } })
    expect(hits.map(({ path }) => path)).toEqual(['a.txt'])
  })
})

describe('with lines configured for unrecognised clients', () => {
  it('a client that accepts no particular type gets lines without a final one, and a client that accepts JSON an array', async () => {
    await using product = await startProduct({ searchLines: true })
    await product.seed({ '/a-x': '', '/x/': '' })
    const old = await product.ask('/api/search/?query=x', { who: 'ann' })
    expect(old.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await old.text()).toBe('{"path":"a-x","dir":false,"url":"/files/a-x"}\n{"path":"x","dir":true,"url":"/files/x/"}\n')
    expect(await product.as('ann').search.run({ params: { path: ROOT }, query: { query: 'x' } })).toHaveLength(2)
    expect((await lines(product, '/api/search/?query=x')).at(-1)).toEqual({ end: true, cut: null })
  })
})

async function lines(product: Product, address: string): Promise<unknown[]> {
  const response = await product.ask(address, { who: 'ann', headers: LINES })
  expect(response.headers.get('content-type')).toStartWith('application/x-ndjson')
  const text = await response.text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** A PDF with a line of text on each page. */
function pdf(...pages: string[]): string {
  const objects = pages.flatMap((text, n) => {
    const stream = `BT /F1 18 Tf 20 50 Td (${text}) Tj ET`
    return [
      `${4 + 2 * n} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + 2 * n} 0 R>>endobj`,
      `${5 + 2 * n} 0 obj<</Length ${stream.length}>>stream\n${stream}\nendstream endobj`,
    ]
  })
  const kids = pages.map((_, n) => `${4 + 2 * n} 0 R`).join(' ')
  return [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    `2 0 obj<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>endobj`,
    '3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
    ...objects,
    'trailer<</Root 1 0 R>>\n',
  ].join('\n')
}

/** The reader goes away: in the process by letting go of the body, over the wire by hanging up. */
async function leave(response: Response, left: AbortController): Promise<void> {
  await response.body?.cancel().catch(() => {})
  left.abort()
}

/** Lets every listing of the storage wait; `left` comes when one that had been asked for was called off. */
function hold({ storage }: Product): { goOn: () => void; asked: () => number; left: Promise<void> } {
  const { list } = storage
  const held = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  let asked = 0
  storage.list = async (path, options) => {
    asked += 1
    const calledOff = new Promise<never>((_, reject) => {
      options?.signal?.addEventListener('abort', () => {
        left.resolve()
        reject(new DOMException('called off', 'AbortError'))
      })
    })
    await Promise.race([held.promise, calledOff])
    return list(path, options)
  }
  return { goOn: held.resolve, asked: () => asked, left: left.promise }
}
