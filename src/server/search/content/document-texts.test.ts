import { expect, it } from 'bun:test'
import { parseFilePath as at } from '../../../shared/file-path.ts'
import { driveOn, plant } from '../../drive/samples.suite.ts'
import type { Outcome, Sandbox } from '../../sandbox/sandbox.ts'
import { createDocumentTexts, documentKind } from './document-texts.ts'

const { signal } = new AbortController()

it('B4: the text of an unchanged PDF is extracted once, unless the program was killed', async () => {
  const ways: Way[] = [
    { ended: 'too-long', exitCode: null },
    { ended: 'too-much-memory', exitCode: null },
    { ended: 'exited', exitCode: 137 },
    { ended: 'exited', exitCode: 0 },
    { ended: 'exited', exitCode: 1 },
  ]
  const texts = createDocumentTexts(sandboxThat(ways), () => Promise.reject(new Error('no document')))
  const drive = driveOn(await plant({ '/a.pdf': '%PDF', '/b.pdf': '%PDF other' }))
  const read = async (path: string) => {
    await using file = await drive.open(at(path))
    return new TextDecoder().decode((await texts({ ...file, descriptor: 7 }, 'pages', signal)) ?? undefined)
  }
  for (let times = 0; times < 3; times++) expect(await read('/a.pdf')).toBe('')
  for (const path of ['/a.pdf', '/a.pdf', '/b.pdf', '/a.pdf', '/b.pdf']) expect(await read(path)).toBe(path === '/a.pdf' ? 'text' : '')
  expect(ways).toEqual([])
})

it('documents are recognized by their names', () => {
  expect(['a.pdf', 'A.DOCX', 'b.odt', 'c.epub', 'd.doc', 'e.zip', 'f.txt'].map(documentKind)).toEqual([
    'pages',
    'paragraphs',
    'paragraphs',
    'paragraphs',
    null,
    null,
    null,
  ])
})

type Way = Pick<Outcome, 'ended' | 'exitCode'>

/** Says the same each time, and ends in these ways, one after the other. */
function sandboxThat(ways: Way[]): Sandbox {
  const notHere = (): Promise<never> => Promise.reject(new Error('not here'))
  const run = async () => {
    const way = ways.shift() ?? { ended: 'aborted', exitCode: null }
    return { ...way, stdout: Buffer.from('text'), stderr: new Uint8Array() }
  }
  return { unavailable: async () => null, start: notHere, run, openTerminal: null }
}
