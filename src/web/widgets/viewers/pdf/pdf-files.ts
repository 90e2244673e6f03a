import { version } from 'pdfjs-dist'

// The build would take an address that is written in one piece for a file to look up.
const here = import.meta.url

/** The folder beside this program's own files into which the build puts what PDF.js loads by name (`vite.config.ts`). */
export const PDF_FILES = new URL(`pdfjs-${version}/`, here).href
