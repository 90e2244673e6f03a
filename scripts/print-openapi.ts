import { openApi } from './openapi/document.ts'

/** The OpenAPI document of this version, to standard output; with `--compact` on one line. */
if (import.meta.main) {
  const indent = process.argv.includes('--compact') ? 0 : 2
  process.stdout.write(`${JSON.stringify(await openApi(), null, indent)}\n`)
}
