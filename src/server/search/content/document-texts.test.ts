import { expect, it } from 'bun:test'
import { parseFilePath as at } from '../../../shared/file-path.ts'
import { driveOn, plant } from '../../drive/samples.suite.ts'
import type { Ending, Sandbox } from '../../sandbox/sandbox.ts'
import { createDocumentTexts, documentKind } from './document-texts.ts'

const { signal } = new AbortController()

it('the text of a PDF is made once as long as the file is the same, but for what a busy machine had no time for', async () => {
  const ways: Ending[] = ['too-long', 'exited', 'exited']
  const texts = createDocumentTexts(sandboxThat(ways), () => Promise.reject(new Error('no document')))
  const drive = driveOn(await plant({ '/a.pdf': '%PDF', '/b.pdf': '%PDF other' }))
  const read = async (path: string) => {
    await using file = await drive.open(at(path))
    return new TextDecoder().decode((await texts({ ...file, descriptor: 7 }, 'pages', signal)) ?? undefined)
  }
  expect(await read('/a.pdf')).toBe('')
  for (const path of ['/a.pdf', '/a.pdf', '/b.pdf', '/a.pdf', '/b.pdf']) expect(await read(path)).toBe('text')
  expect(ways).toEqual([])
})

it('documents are known by their names', () => {
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

/** Says the same each time, and ends in these ways, one after the other. */
function sandboxThat(ways: Ending[]): Sandbox {
  const notHere = (): Promise<never> => Promise.reject(new Error('not here'))
  const run = async () => ({ ended: ways.shift() ?? 'aborted', exitCode: 0, stdout: Buffer.from('text'), stderr: new Uint8Array() })
  return { unavailable: async () => null, start: notHere, run, openTerminal: null }
}
