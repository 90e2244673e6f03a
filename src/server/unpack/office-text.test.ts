import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { holdsWords, textOfMarkup } from './office-text.ts'

describe('the text of a document', () => {
  it('is extracted from Word: runs joined, one paragraph per line, no field codes, nothing deleted', () => {
    const markup =
      '<?xml version="1.0"?><w:document><w:body><w:p w:rsidR="1"><w:r><w:t>Bud</w:t></w:r><w:r><w:t xml:space="preserve">get </w:t><w:tab/><w:t>R&amp;D</w:t></w:r></w:p>' +
      '<w:p><w:instrText>PAGE 12</w:instrText><w:del><w:delText>gone</w:delText></w:del><w:t>a<w:br/>b</w:t></w:p></w:body></w:document>'
    expect(textOfMarkup(markup)).toBe('Budget R&D\na\nb')
  })

  it('is extracted from Excel: texts and numbers of cells, no formulas, no string indices', () => {
    expect(textOfMarkup('<sst><si><t>Rent</t></si><si><r><t>Elec</t></r><r><t>tricity</t></r></si></sst>')).toBe('Rent\nElectricity')
    const sheet =
      '<row r="1"><c r="A1" t="s"><v>17</v></c><c r="B1"><f>SUM(A1:A9)</f><v>4711</v></c><c t="inlineStr"><is><t>own</t></is></c></row><row><c/><c><v>5</v></c></row>'
    expect(textOfMarkup(sheet)).toBe('4711 own\n5')
  })

  it('is extracted from LibreOffice, PowerPoint and books', () => {
    expect(textOfMarkup('<text:h>Title</text:h><text:p>one<text:s/>two<text:line-break/>three</text:p>')).toBe('Title\none two\nthree')
    expect(textOfMarkup('<a:p><a:r><a:t>Slide</a:t></a:r></a:p><a:p><a:t>next</a:t></a:p>')).toBe('Slide\nnext')
    const page =
      '<html><head><title>no</title><style>p{}</style></head><body><p>Caf&#233; &#x1F600;<br>x</p><!-- <p>no</p> --><![CDATA[1 < 2]]></body>'
    expect(textOfMarkup(page)).toBe('Café 😀\nx\n1 < 2')
  })

  it('is read from these parts of a document only', () => {
    const parts = [
      'word/document.xml',
      'word/header2.xml',
      'ppt/slides/slide3.xml',
      'xl/sharedStrings.xml',
      'xl/worksheets/sheet1.xml',
      'content.xml',
      'OEBPS/ch1.xhtml',
    ]
    const others = [
      'word/styles.xml',
      'word/media/content.xml',
      '[Content_Types].xml',
      'xl/workbook.xml',
      'styles.xml',
      'ppt/slides/_rels/slide1.xml.rels',
    ]
    expect(parts.filter(holdsWords)).toEqual(parts)
    expect(others.filter(holdsWords)).toEqual([])
  })

  it('is extracted from damaged documents without an error', () => {
    const bits = fc.constantFrom(
      '<',
      '>',
      '</w:p>',
      '<w:t>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&',
      '&#0;',
      '&#x110000;',
      '&amp;',
      'v',
      '<c t="s">',
      '<v>',
      '/',
      ' ',
      '\n',
    )
    fc.assert(fc.property(fc.array(bits), (all) => void textOfMarkup(all.join(''))))
  })
})
