import { t } from '../../../i18n/i18n.tsx'

/** Localised texts of CodeMirror's search panel, by their English originals. */
export function findPhrases(): Record<string, string> {
  return {
    Find: t('editor.find'),
    Replace: t('editor.find.replace-with'),
    next: t('editor.find.next'),
    previous: t('editor.find.previous'),
    all: t('editor.find.all'),
    'match case': t('editor.find.case'),
    regexp: t('editor.find.regexp'),
    'by word': t('editor.find.word'),
    replace: t('editor.find.replace'),
    'replace all': t('editor.find.replace-all'),
    close: t('action.close'),
    'current match': t('editor.find.current'),
    'replaced match on line $': t('editor.find.replaced'),
    'replaced $ matches': t('editor.find.replaced-all'),
    'on line': t('editor.find.on-line'),
    'Go to line': t('editor.go-to-line'),
    go: t('editor.go'),
  }
}
