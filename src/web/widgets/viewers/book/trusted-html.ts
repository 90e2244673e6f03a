import { trustedTypesPolicy } from '../../../ui/trusted-types.ts'

/** For the parser only: its documents have no browsing context, and content is sanitised before it is displayed. */
const policy = trustedTypesPolicy('satchel-book', { createHTML: (text) => text })

/** Book text as trusted HTML for the parser. */
export function trustedHtml(text: string): string {
  return policy?.createHTML(text) ?? text
}
