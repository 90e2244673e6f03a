import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'bun:test'
import { sql } from 'kysely'
import { COMMAND_PROTOCOL } from '../../src/shared/contract/command.ts'
import { TERMINAL_PROTOCOL } from '../../src/shared/contract/terminal.ts'
import { createBubblewrap } from '../../src/server/sandbox/bubblewrap.ts'
import type { Sandbox, StartOptions } from '../../src/server/sandbox/sandbox.ts'
import { zipOf } from './archive-samples.ts'
import { docx } from './office-samples.ts'
import { png, silentMp3WithCover } from './pictures.ts'
import { until } from './until.ts'
import { type Product, startProduct } from './world.ts'

/** Every program that the server starts in the sandbox. One that is new has to be started by this test. */
const KINDS = [
  'a command',
  'a hook after',
  'a hook before',
  'a terminal',
  'ffmpeg',
  'office-program.ts',
  'pdftoppm',
  'pdftotext',
  'render-program.ts',
  'soffice',
  'unpack-program.ts',
]
const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\ntrailer<</Root 1 0 R>>\n'

let folder = ''
let product: Product
let started: string[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-descriptors-'))
  started = []
  product = await startProduct({ storage: 'local', sandbox: reporting(createBubblewrap()) })
})
afterEach(async () => {
  await product[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

it('A1: every program in the sandbox has the descriptors 0, 1 and 2, and no others', async () => {
  await product.seed({
    '/red.png': await png(64, 48),
    '/film.webm': readFileSync(join(import.meta.dir, '../e2e/samples/film.webm')),
    '/sound.mp3': await silentMp3WithCover(),
    '/page.pdf': PDF,
    '/a.docx': zipOf([{ name: 'word/document.xml', text: '<w:p>needle</w:p>' }]),
    '/letter.docx': docx('Dear Ann'),
    '/a.zip': zipOf([{ name: 'a.txt', text: 'a' }]),
  })
  for (const name of ['red.png', 'film.webm', 'sound.mp3', 'page.pdf'])
    expect([name, (await product.ask(`/api/preview/thumb/${name}`, { who: 'ann' })).status]).toEqual([name, 200])
  expect((await product.ask('/api/preview/pdf/letter.docx', { who: 'ann' })).status).toBe(200)
  expect((await product.ask('/api/archive/list/a.zip', { who: 'ann' })).status).toBe(200)
  await (await product.ask('/api/search/?query=content:needle', { who: 'ann' })).text()

  const commands = { before_upload: ['echo a hook before'], after_upload: ['echo a hook after'] }
  await product.world.settings.change((before) => ({ ...before, shell: ['/bin/sh', '-c'], commands: { ...before.commands, ...commands } }))
  await product.db
    .updateTable('users')
    .set({ commands: JSON.stringify(['echo', 'sh']), version: sql`version + 1` })
    .execute()
  expect((await product.ask('/api/resources/new.txt', { method: 'POST', who: 'ann', body: 'new' })).status).toBe(200)
  await inSocket('command', COMMAND_PROTOCOL, [{ run: 'echo a command' }])
  await inSocket('terminal', TERMINAL_PROTOCOL, [{ start: { columns: 80, rows: 24 } }, { type: 'exit\r' }])

  // The hook after runs when the answer is on its way.
  const reports = () => readdirSync(folder).toSorted()
  await until(() => started.some((argv) => kindOf(argv) === 'a hook after') && reports().length === started.length)
  expect([...new Set(started.map(kindOf))].toSorted()).toEqual(KINDS)
  expect(reports()).toEqual(started.map((_, n) => `${n}: 0 1 2 `).toSorted())
}, 300_000)

/** A sandbox in which each program tells what it holds before it does anything. */
function reporting(sandbox: Sandbox): Sandbox {
  const { openTerminal } = sandbox
  function told<Options extends StartOptions>(argv: readonly string[], options: Options): [string[], Options] {
    // As the name of a folder, since some may write no files; in a shell of its own, whose pipe is not the program's.
    const report = `(mkdir "/report/${started.push(argv.join(' ')) - 1}: $(ls /proc/$$/fd | tr '\\n' ' ')"); exec "$@"`
    const binds = [...(options.binds ?? []), { source: folder, target: '/report', writable: true }]
    return [['/bin/sh', '-c', report, 'sh', ...argv], { ...options, binds }]
  }
  return {
    unavailable: () => sandbox.unavailable(),
    start: (argv, options = {}) => sandbox.start(...told(argv, options)),
    run: (argv, options = {}) => sandbox.run(...told(argv, options)),
    openTerminal: openTerminal && ((argv, options) => openTerminal(...told(argv, options))),
  }
}

function kindOf(argv: string): string {
  if (argv === 'sh') return 'a terminal'
  const ours = KINDS.find((kind) => kind.startsWith('a ') && argv.includes(kind))
  if (ours !== undefined) return ours
  return KINDS.find((kind) => argv.split(' ').some((word) => basename(word) === kind)) ?? argv
}

/** Sends what it is told on a connection, and waits for its end. */
async function inSocket(call: 'command' | 'terminal', protocol: string, messages: readonly object[]): Promise<void> {
  const headers = { 'x-auth': await product.signIn('ann') }
  const socket = new WebSocket(`ws://127.0.0.1:${product.port}/api/${call}/`, { headers, protocols: [protocol] })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => messages.forEach((message) => socket.send(JSON.stringify(message))))
    socket.addEventListener('error', () => reject(new Error(`the ${call} did not open`)))
    socket.addEventListener('close', () => resolve())
  })
}
