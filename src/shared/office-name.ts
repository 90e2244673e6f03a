import { extensionOf } from './file-type.ts'

/** What LibreOffice reads; plain texts and tables without a layout of their own are shown as they are. */
const EXTENSIONS = new Set(
  'doc docx docm dot dotx dotm odt ott rtf xls xlsx xlsm xlsb xlt xltx xltm ods ots ppt pptx pptm pps ppsx ppsm pot potx potm odp otp odg'.split(
    ' ',
  ),
)

/** Whether a file is an office document, of which the server may make a PDF. @param name or path of the file */
export function isOfficeName(name: string): boolean {
  return EXTENSIONS.has(extensionOf(name).slice(1).toLowerCase())
}
