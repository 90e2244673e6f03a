/** A PDF with a page for each text, an outline with a line for each page, and a link from the first page to an address outside. */
export function pdfOf(texts: readonly string[], { link }: { link?: string } = {}): Buffer {
  const objects: string[] = []
  const pageAt = (index: number): number => 4 + index * 3
  const kids = texts.map((_, index) => `${pageAt(index)} 0 R`).join(' ')
  objects[1] = '<</Type/Catalog/Pages 2 0 R/Outlines 3 0 R>>'
  objects[2] = `<</Type/Pages/Kids[${kids}]/Count ${texts.length}>>`
  objects[3] = `<</Type/Outlines/First ${pageAt(0) + 2} 0 R/Last ${pageAt(texts.length - 1) + 2} 0 R/Count ${texts.length}>>`
  for (const [index, text] of texts.entries()) {
    const at = pageAt(index)
    const stream = `BT /F1 24 Tf 40 700 Td (${text}) Tj ET`
    const annotation = `<</Type/Annot/Subtype/Link/Rect[40 600 300 640]/A<</S/URI/URI(${link})>>>>`
    const annotations = link !== undefined && index === 0 ? `/Annots[${annotation}]` : ''
    const font = '/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>'
    objects[at] = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${at + 1} 0 R${font}${annotations}>>`
    objects[at + 1] = `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`
    const next = index + 1 < texts.length ? `/Next ${pageAt(index + 1) + 2} 0 R` : ''
    const previous = index > 0 ? `/Prev ${pageAt(index - 1) + 2} 0 R` : ''
    objects[at + 2] = `<</Title(Chapter ${index + 1})/Parent 3 0 R${next}${previous}/Dest[${at} 0 R/XYZ 0 842 0]>>`
  }
  let file = '%PDF-1.4\n'
  const offsets: number[] = []
  for (const [id, body] of objects.entries()) {
    if (id === 0) continue
    offsets.push(file.length)
    file += `${id} 0 obj${body}endobj\n`
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const end = file.length
  return Buffer.from(
    `${file}xref\n0 ${objects.length}\n0000000000 65535 f \n${table}trailer<</Root 1 0 R/Size ${objects.length}>>\nstartxref\n${end}\n%%EOF\n`,
    'latin1',
  )
}
