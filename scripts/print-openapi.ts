import { openApi } from './openapi/document.ts'

/** The OpenAPI document of this version, to standard output. */
if (import.meta.main) process.stdout.write(`${JSON.stringify(await openApi(), null, 2)}\n`)
