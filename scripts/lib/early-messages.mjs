/**
 * Messages that the first rows need, by the beginning of their keys; the others come with the first dialog or screen that is fetched later
 * (src/web/i18n/lazy-part.ts). `scripts/check-size.mjs` refuses a first page that asks for one of those.
 */
const EARLY = [
  'action.',
  'app.',
  'error.',
  'errors.',
  'frame.',
  'key.alt',
  'key.backspace',
  'key.ctrl',
  'key.delete',
  'key.enter',
  'key.esc',
  'key.shift',
  'login.',
  'offline.',
  'password.',
  'sidebar.',
  'title.',
  'files.action.',
  'files.breadcrumbs',
  'files.column.',
  'files.create',
  'files.dock',
  'files.drop',
  'files.empty.',
  'files.group.',
  'files.held',
  'files.home',
  'files.kind.',
  'files.menu',
  'count.',
  'files.more',
  'files.pasted-image',
  'files.copy.done',
  'files.copy.failed',
  'files.copy.working',
  'files.delete.done',
  'files.delete.failed',
  'files.delete.working',
  'files.filter.',
  'files.into-itself',
  'files.move.done',
  'files.move.failed',
  'files.move.working',
  'files.rename.done',
  'files.rename.several',
  'files.undo.',
  'undo.',
  'job.interrupted',
  'files.root',
  'files.select',
  'files.sort',
  'files.shared',
  'files.star',
  'files.unstar',
  'files.upload',
  'files.view',
  'files.info.copied',
  'palette.title',
  'share.copied',
  'share.copy-failed',
  'share.lasts.until',
  'visit.',
]

/** Named in a table of the first page, but said by a part that is fetched later. */
const ONLY_NAMED = ['files.help.', 'key.', 'search.title', 'settings.tab.']

/** Whether the first page may say it. */
export function isEarly(key) {
  return EARLY.some((beginning) => key.startsWith(beginning))
}

export function isOnlyNamed(key) {
  return ONLY_NAMED.some((beginning) => key.startsWith(beginning))
}
