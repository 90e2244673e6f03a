import { describe, expect, it } from 'bun:test'
import { type Endpoint, endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import type { ShareRights, ShareInput } from '../../src/shared/contract/shares.ts'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { png } from './pictures.ts'
import { CLIMBS } from './spellings.ts'
import { deny, onEachStorage, type Product } from './world.ts'

/** Every way in for visitors, as the contract has them: a new one is tried by being there. */
const PUBLIC = endpointsOf(api).filter(({ call }) => call.path.startsWith('/api/public/'))

/** In the bytes of everything that is not for visitors. */
const BYTES = 'bytes-for-nobody'
/** In names beside what is asked for, so that no answer has it from the question. */
const NAME = 'name-for-nobody'
/** No size of anything that may be seen, nor part of one. */
const SIZE = 7919
// Not within an id of an upload.
const WHOLE_SIZE = new RegExp(`(?<![\\w-])${SIZE}(?![\\w-])`)

const secret = BYTES.padEnd(SIZE, '.')
/** Each with all that has a byte, a name, a size, a picture and captions to lose. */
const hiddenFolder = (folder: string, picture: Uint8Array): Record<string, string | Uint8Array> => ({
  [`${folder}/key.txt`]: secret,
  [`${folder}/${NAME}.txt`]: secret,
  [`${folder}/film.srt`]: `1\n00:00:01,000 --> 00:00:02,000\n${BYTES}\n`,
  [`${folder}/picture.png`]: picture,
})
const ASKED = ['', 'key.txt', 'film.srt', 'picture.png']

/** Places inside the shared folder that the owner does not see there either, and links that lead out of it or to them. */
const INSIDE = ['vault', 'pattern', '.dot', 'out', 'to-vault', 'up/other', 'sub/to-vault']
/** Of these it may be said that they are links, and no more. */
const LINKS = ['out', 'to-vault', 'sub/to-vault']
const RULES = [deny('/shared/vault'), { regex: true, allow: false, path: '', regexp: { raw: '/pattern(/|$)' } }]

/** Ways to write a folder of the share. */
const SPELLINGS: readonly ((folder: string) => string)[] = [
  (folder) => folder,
  (folder) => `/${folder}`,
  (folder) => `./${folder}`,
  (folder) => `sub/../${folder}`,
  (folder) => `sub/%2e%2e/${folder}`,
  (folder) => `sub%2f..%2f${folder}`,
  (folder) => `${folder.slice(0, -1)}%${folder.charCodeAt(folder.length - 1).toString(16)}`,
  (folder) => folder.toUpperCase(),
  (folder) => `${folder}/.`,
  (folder) => `${folder}//`,
  (folder) => `${folder}%00`,
  (folder) => `${folder}%20`,
]

onEachStorage((product) => {
  describe('a visitor cannot reach anything outside a share or denied by its owner’s rules', () => {
    for (const { name, call } of PUBLIC) {
      it(
        `by ${name}, however a place inside is written (GHSA-j9jx-hp4c-ghhh)`,
        async () => {
          const shares = await prepare(product())
          const before = await hidden(product())
          const allowed = await allowedAnswers(product(), call, shares)
          const paths = INSIDE.flatMap((folder) =>
            SPELLINGS.flatMap((spell) => ASKED.map((file) => (file === '' ? spell(folder) : `${spell(folder)}/${file}`))),
          )
          await expectNothing(product(), { call, shares, paths, allowed })
          expect(await hidden(product())).toEqual(before)
        },
        MANY_MS,
      )

      it(
        `by ${name}, however one climbs (GHSA-mr74-928f-rw69, CVE-2026-55498)`,
        async () => {
          const shares = await prepare(product())
          const before = await hidden(product())
          const allowed = await allowedAnswers(product(), call, shares)
          const paths = CLIMBS.flatMap((climb) => [`${climb}other/key.txt`, `sub/${climb}${climb}other/picture.png`])
          await expectNothing(product(), { call, shares, paths, allowed })
          expect(await hidden(product())).toEqual(before)
        },
        MANY_MS,
      )
    }

    it(
      'by sending something there (GHSA-fwj3-42wh-8673, CVE-2021-32654)',
      async () => {
        const shares = await prepare(product())
        const before = await hidden(product())
        const folders = [...INSIDE, ...CLIMBS.map((climb) => `${climb}other`), 'up', 'sub/up']
        for (const { hash } of shares.filter(({ rights }) => rights === 'edit' || rights === 'drop'))
          for (const folder of folders.flatMap((one) => SPELLINGS.slice(0, 8).map((spell) => spell(one)))) {
            const headers = { 'tus-resumable': TUS_VERSION, 'upload-length': '4', 'content-type': OFFSET_MEDIA_TYPE }
            const address = `/api/public/tus/${hash}/${crypto.randomUUID()}/${folder}/key.txt`
            expectClean(await answerOf(await product().ask(address, { method: 'POST', headers, body: 'mine' })), address)
          }
        expect(await hidden(product())).toEqual(before)
      },
      MANY_MS,
    )

    it(
      'by an archive, whatever it is asked to hold (CVE-2026-54719)',
      async () => {
        const shares = await prepare(product())
        const [{ hash } = missing()] = shares.filter(({ folder }) => folder)
        for (const algo of ['zip', 'tar']) {
          const whole = await see(product(), `/api/public/dl/${hash}/?algo=${algo}`)
          expect(whole.status).toBe(200)
          expectClean(whole, algo)
          const lists = [
            ...INSIDE.map((folder) => `files=${encodeURIComponent(folder)}&files=a.txt`),
            ...INSIDE.map((folder) => `files=${encodeURIComponent(`a.txt,${folder}`)}`),
            ...CLIMBS.map((climb) => `files=${encodeURIComponent(`${climb}other`)}&files=a.txt`),
            ...CLIMBS.map((climb) => `files=${encodeURIComponent(`a.txt,${climb}other/key.txt`)}`),
          ]
          for (const list of lists) expectClean(await see(product(), `/api/public/dl/${hash}/?algo=${algo}&${list}`), list)
        }
      },
      MANY_MS,
    )
  })

  describe('a locked link', () => {
    for (const { name, call } of PUBLIC) {
      it(`reveals nothing without its password by ${name}, including existence (GHSA-8vrh-3pm2-v4v6, GHSA-525j-95gf-766f)`, async () => {
        await prepare(product())
        const { hash } = await product()
          .as('ben')
          .shares.create({ params: { path: at('/shared') }, body: '{"password":"pass"}' })
        for (const address of addressesOf(call, hash, ['', 'a.txt', 'picture.png', 'film.srt', 'nothing', 'vault/key.txt'])) {
          const answer = await see(product(), address, call)
          // What tus is says nothing of the link.
          expect([address, answer.status]).toEqual([address, call.method === 'OPTIONS' ? 204 : 401])
          expectClean(answer, address)
          expect(answer.body).not.toContain('seen-by-all')
        }
      })
    }
  })

  describe('a drop box', () => {
    for (const { name, call } of PUBLIC.filter(({ call: { method } }) => method === 'GET')) {
      it(`reveals nothing by ${name}, including existence (GHSA-26c8-35cm-xq9m)`, async () => {
        const shares = await prepare(product())
        const { body: nothing } = await see(product(), addressesOf(call, 'neverwas', ['a.txt'])[0] ?? '', call)
        for (const { hash } of shares.filter(({ rights }) => rights === 'drop'))
          for (const address of addressesOf(call, hash, [
            'a.txt',
            'picture.png',
            'film.srt',
            'sub',
            'sub/',
            'sub/b.txt',
            'nothing',
            'vault/key.txt',
          ])) {
            const answer = await see(product(), address, call)
            expect([address, answer.status, answer.body]).toEqual([address, 404, nothing])
          }
      })
    }
  })
})

interface Shared {
  readonly hash: string
  readonly folder: boolean
  readonly rights: ShareRights
  /** Of a kind that others stand for: a few questions say as much as all. */
  readonly few: boolean
}

/** A person with rules, a folder of theirs shared, and one file of it. */
async function prepare(product: Product): Promise<Shared[]> {
  const picture = await png(60, 20)
  const seen = await png(40, 30)
  await product.seed({
    '/home/shared/a.txt': 'seen-by-all',
    '/home/shared/film.srt': '1\n00:00:01,000 --> 00:00:02,000\nseen-by-all\n',
    '/home/shared/picture.png': seen,
    '/home/shared/sub/b.txt': 'seen-by-all too',
    ...hiddenFolder('/home/shared/vault', picture),
    ...hiddenFolder('/home/shared/pattern', picture),
    ...hiddenFolder('/home/shared/.dot', picture),
    ...hiddenFolder('/home/other', picture),
    ...hiddenFolder('/other', picture),
  })
  await product.link('/home/shared/out', '../other')
  await product.link('/home/shared/up', '..')
  await product.link('/home/shared/to-vault', 'vault')
  await product.link('/home/shared/sub/to-vault', '../vault')
  await product.add('ben', { scope: '/home', rules: RULES, hideDotfiles: true })
  const share = async (path: string, folder: boolean, wish: ShareInput = {}): Promise<Shared> => {
    const { hash, slug, rights } = await product.as('ben').shares.create({ params: { path: at(path) }, body: JSON.stringify(wish) })
    return { hash: slug || hash, folder, rights, few: Object.keys(wish).length > 0 }
  }
  return [
    await share('/shared', true),
    await share('/shared/a.txt', false),
    await share('/shared/picture.png', false),
    await share('/shared', true, { slug: 'by-a-name' }),
    await share('/shared', true, { maxDownloads: 1_000_000 }),
    await share('/shared', true, { rights: 'view' }),
    await share('/shared', true, { rights: 'edit' }),
    await share('/shared', true, { rights: 'drop' }),
  ]
}

/** Everything that is not for visitors, as it lies in the storage. */
async function hidden(product: Product): Promise<unknown> {
  const all = Object.entries(await product.snapshot())
  return all.filter(([path]) => /^\/(other|home\/other|home\/shared\/(vault|pattern|\.dot))(\/|$)/.test(path))
}

/** What the call may answer: everything it says about places that are for visitors. */
async function allowedAnswers(product: Product, call: Endpoint, shares: readonly Shared[]): Promise<Set<string>> {
  const places = ['', 'a.txt', 'film.srt', 'picture.png', 'sub', 'sub/', 'sub/b.txt', ...LINKS]
  const answers = new Set<string>()
  for (const { hash } of shares)
    for (const address of addressesOf(call, hash, places)) {
      const answer = await see(product, address, call)
      expectClean(answer, address)
      if (answer.status < 300) answers.add(answer.body)
    }
  if (call.method === 'GET') expect(answers.size).toBeGreaterThan(0)
  return answers
}

async function expectNothing(
  product: Product,
  { call, shares, paths, allowed }: { call: Endpoint; shares: readonly Shared[]; paths: readonly string[]; allowed: ReadonlySet<string> },
): Promise<void> {
  // Of a shared file what follows the link is a pretty name: a few of each sort say as much as all.
  const addresses = shares.flatMap(({ hash, folder, few }, which) =>
    addressesOf(call, hash, folder && !few ? paths : paths.filter((_, n) => n % 11 === which)),
  )
  const leaks: string[] = []
  for (let start = 0; start < addresses.length; start += AT_ONCE) {
    const batch = addresses.slice(start, start + AT_ONCE)
    const answers = await Promise.all(batch.map(async (address) => ({ address, ...(await see(product, address, call)) })))
    for (const answer of answers)
      if ((answer.status < 300 && !allowed.has(answer.body)) || !isClean(answer)) leaks.push(`${answer.status} ${answer.address}`)
  }
  expect(leaks).toEqual([])
}

const AT_ONCE = 32
/** A thousand requests on a busy machine. */
const MANY_MS = 60_000

/** The call at each path, in each of its sizes, as a client with a will of its own writes it. */
function addressesOf(call: Endpoint, hash: string, paths: readonly string[]): string[] {
  const sizes = call.path.includes(':size') ? ['thumb', 'big'] : ['']
  return sizes.flatMap((size) =>
    paths.map((path) =>
      call.path
        .replace(':size', size)
        .replace(':upload', crypto.randomUUID())
        .replace(':hash', hash)
        .replace('/*path', path === '' ? '' : `/${path}`),
    ),
  )
}

interface Answer {
  status: number
  headers: string
  body: string
}

/** Sends each call with its headers and body. */
async function see(product: Product, address: string, call?: Endpoint): Promise<Answer> {
  const method = call?.method ?? 'GET'
  const tus = { 'tus-resumable': TUS_VERSION, 'upload-length': '4', 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }
  const headers = { accept: call?.accept ?? 'application/json', ...(address.includes('/tus/') && tus) }
  const body = method !== 'PATCH' ? undefined : address.includes('/tus/') ? 'mine' : '{"name":"renamed-by-a-visitor"}'
  return answerOf(await product.ask(address, { method, headers, body }))
}

async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: JSON.stringify([...response.headers]),
    // A new visitor of a limited link has a new ticket in every answer.
    body: Buffer.from(await response.arrayBuffer())
      .toString('latin1')
      .replace(/"token":"[^"]+"/, ''),
  }
}

function isClean({ headers, body }: Answer): boolean {
  return [BYTES, NAME].every((text) => !body.includes(text) && !headers.includes(text)) && !WHOLE_SIZE.test(`${headers} ${body}`)
}

function expectClean(answer: Answer, says: string): void {
  expect([says, isClean(answer)]).toEqual([says, true])
}

function missing(): never {
  throw new Error('no such share')
}
