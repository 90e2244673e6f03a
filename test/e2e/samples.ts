import { readFileSync } from 'node:fs'

/** One pixel. */
export const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')

/** Two seconds, 64 × 48, VP8. */
export const WEBM = readFileSync('test/e2e/samples/film.webm')

/** One page with one word. */
export const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n' +
    '4 0 obj<</Length 37>>stream\nBT /F1 24 Tf 20 100 Td (Hello) Tj ET\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
)

/** A tenth of a second of silence. */
export const WAV = Buffer.concat([
  Buffer.from('RIFF'),
  uint32(36 + 800),
  Buffer.from('WAVEfmt '),
  uint32(16),
  Buffer.from([1, 0, 1, 0]),
  uint32(8000),
  uint32(8000),
  Buffer.from([1, 0, 8, 0]),
  Buffer.from('data'),
  uint32(800),
  Buffer.alloc(800, 128),
])

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
