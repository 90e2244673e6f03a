import { ArrowLeft, Download, EllipsisVertical, History, Save, Search, Star, WrapText } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, useEffectEvent } from 'react'
import { useLocation, useSearchParams } from '../../../router/router.tsx'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import type { File } from '../../../../shared/contract/resources.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { isAsking, registerPrompts } from '../../../data/prompts.ts'
import { usePermissions } from '../../../data/rights.ts'
import { parseTextRange } from '../../../data/text-range.ts'
import { fileAddress, startDownload } from '../../../data/start-download.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { useRestored } from '../../../data/versions.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { keysText } from '../../../i18n/keys.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { IconLink } from '../../../ui/icon-link.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { MenuEntry } from '../../../ui/menu-entry.ts'
import { Segmented } from '../../../ui/segmented.tsx'
import { useMedia, usePhone } from '../../../ui/use-media.ts'
import { usePageEvent } from '../../../ui/use-page-event.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { languageOf } from '../../../widgets/viewers/code-colours.ts'
import { renderedKind } from '../../../widgets/viewers/rendered.ts'
import { report } from '../report.ts'
import { shortcutText } from '../shortcuts.ts'
import { useStar } from '../use-star.ts'
import { showVersions } from '../versions/kinds.ts'
import { type CodeView, createCodeView, type CursorPlace, isColourable, lineEndOf, splitMark } from './code-view.ts'
import styles from './editor.module.css'
import { firstMode, type Mode } from './modes.ts'
import { findPhrases } from './phrases.ts'
import { Rendered } from './rendered.tsx'
import { useSave } from './use-save.ts'

registerPrompts({ 'changed-file': lazyPart(async () => (await import('./changed-dialog.tsx')).ChangedDialog) })

const WRAP_KEY = 'satchel-editor-wrap'

interface EditorProps {
  file: File
  path: FilePath
  onClose: () => void
  /** Version for If-Match. */
  version: string | null
  onOpen: (path: FilePath) => void
  onReload: () => void
}

/** Text editor: saves with Ctrl+S and asks before discarding unsaved changes. */
export function Editor({ file, path, version, onClose, onOpen, onReload }: EditorProps) {
  const perm = usePermissions()
  const queries = useQueryClient()
  const phone = usePhone()
  const readOnly = file.type === 'textImmutable' || !perm.modify
  const [wrap, setWrap] = useState(() => localStorage.getItem(WRAP_KEY) !== 'off')
  const [place, setPlace] = useState<CursorPlace>({ line: 1, column: 1, selected: 0 })
  const [coloured, setColoured] = useState(() => isColourable(file.content ?? ''))
  const rendered = useRendered(file)
  const { parent, view, dirty, checkDirty } = useCodeView({ file, readOnly, wrap, onCursor: setPlace, onText: rendered.refresh })
  useSpot({ view, rendered })
  const star = useStar(path, file, { isWritten: !readOnly })
  const starWord = t(star?.starred === true ? 'files.action.unstar' : 'files.action.star')
  const starIcon = (size: number) => <Star size={size} strokeWidth={1.75} fill={star?.starred === true ? 'currentColor' : 'none'} />
  const mayDownload = perm.download
  const leaveFreely = useUnsavedGuard(dirty, {
    title: t('editor.leave.title'),
    text: t('editor.leave.text'),
    confirmLabel: t('editor.leave.confirm'),
  })
  const openCopy = (copy: FilePath) => {
    leaveFreely()
    onOpen(copy)
  }
  const rights = { readOnly, mayCreate: perm.create }
  const { save, saving } = useSave({ file, path, version, view, rights, onSettled: checkDirty, onReload, onCopied: openCopy })
  const language = languageOf(file.name)

  useEffect(() => {
    // If the language cannot be loaded, the text stays uncoloured.
    void view.current?.setLanguage(coloured ? language : null).catch(() => undefined)
  }, [coloured, language, view])

  // Override the browser's Save and Find.
  usePageEvent('keydown', (event) => {
    if (isAsking() || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    if (event.key !== 's' && event.key !== 'f') return
    event.preventDefault()
    if (event.key === 's') void save()
    else view.current?.find()
  })

  // What is unsaved stays, unless it was given up; saving it will ask.
  useRestored(path, ({ overUnsaved }) => (overUnsaved || view.current?.isChanged() !== true) && onReload())
  const versions = {
    kind: 'action' as const,
    id: 'versions',
    label: t('files.action.versions'),
    icon: History,
    onSelect: () => void showVersions(queries, { ...file, path }, { unsaved: dirty }).catch(report),
  }

  const toggleWrap = () => {
    localStorage.setItem(WRAP_KEY, wrap ? 'off' : 'on')
    view.current?.setWrap(!wrap)
    setWrap(!wrap)
  }
  return (
    <section className={styles.editor} aria-label={file.name} data-part="editor">
      <header className={styles.bar}>
        <IconButton label={t('editor.close')} icon={<ArrowLeft size={19} strokeWidth={1.75} className="mirror" />} onClick={onClose} />
        <h1 className={styles.name}>
          <bdi>{displayName(file.name)}</bdi>
          {dirty && <span className={styles.unsaved} role="img" aria-label={t('editor.unsaved')} title={t('editor.unsaved')} />}
        </h1>
        {readOnly && (
          <span className={styles.chip} title={readOnlyReason(perm.modify)}>
            {t('editor.read-only')}
          </span>
        )}
        {rendered.kind !== null && (
          <Segmented
            label={t('editor.mode')}
            value={rendered.mode}
            options={rendered.modes.map((mode) => ({
              value: mode,
              label: t(mode === 'preview' && rendered.kind === 'table' ? 'editor.mode.table' : `editor.mode.${mode}`),
            }))}
            onValue={(mode) => rendered.choose(mode, view.current?.capture().text ?? '')}
          />
        )}
        {phone ? (
          <Menu
            label={t('editor.more')}
            align="end"
            entries={() => [
              { kind: 'action', id: 'find', label: t('editor.find'), icon: Search, onSelect: () => view.current?.find() },
              { kind: 'action', id: 'wrap', label: t('editor.wrap'), icon: WrapText, checked: wrap, onSelect: toggleWrap },
              ...(star === null
                ? []
                : [{ kind: 'action' as const, id: 'star', label: starWord, icon: starIcon(17), onSelect: star.toggle }]),
              ...(mayDownload ? [versions, downloadEntry(path)] : []),
            ]}
            trigger={(props) => <IconButton {...props} label={t('editor.more')} icon={EllipsisVertical} iconSize={19} />}
          />
        ) : (
          <>
            <IconButton
              label={t('editor.find')}
              shortcut={keysText('Mod', 'F')}
              icon={Search}
              iconSize={19}
              onClick={() => view.current?.find()}
            />
            <IconButton label={t('editor.wrap')} pressed={wrap} icon={WrapText} iconSize={19} onClick={toggleWrap} />
            {star !== null && <IconButton label={starWord} shortcut={shortcutText('star')} icon={starIcon(19)} onClick={star.toggle} />}
            {mayDownload && <IconButton label={versions.label} icon={History} iconSize={19} onClick={versions.onSelect} />}
            {mayDownload && <IconLink label={t('editor.download')} icon={Download} iconSize={19} href={fileAddress(path)} download />}
          </>
        )}
        {!readOnly && (
          <Button
            label={t('editor.save')}
            variant="primary"
            className={styles.save}
            aria-label={t('editor.save')}
            icon={Save}
            iconSize={17}
            busy={saving}
            disabled={!dirty}
            onClick={() => void save()}
          />
        )}
      </header>
      <div className={styles.body} data-mode={rendered.mode}>
        <div ref={parent} className={styles.code} dir="ltr" hidden={rendered.mode === 'preview'} />
        {rendered.kind !== null && rendered.mode !== 'edit' && (
          <div className={styles.rendered}>
            <Rendered kind={rendered.kind} text={rendered.text} name={file.name} path={path} mayDownload={mayDownload} />
          </div>
        )}
      </div>
      <footer className={styles.status}>
        <span>{t('editor.place', { line: place.line, column: place.column })}</span>
        {place.selected > 0 && <span>{t('editor.selected', { count: place.selected })}</span>}
        <span className="ellipsis to-end">{coloured ? (language?.name ?? t('editor.plain')) : t('editor.uncoloured')}</span>
        <TextFacts file={file} mayModify={perm.modify} />
        {!coloured && language !== null && (
          <button type="button" className={styles.link} onClick={() => setColoured(true)}>
            {t('editor.colour-anyway')}
          </button>
        )}
      </footer>
    </section>
  )
}

/** Encoding, line endings and size; and why the text is read-only. */
function TextFacts({ file, mayModify }: { file: File; mayModify: boolean }) {
  const { mark, body } = useMemo(() => splitMark(file.content ?? ''), [file.content])
  const lineEnds = useMemo(() => (lineEndOf(body) === '\r\n' ? 'CRLF' : 'LF'), [body])
  const isOther = file.type === 'textImmutable' && mayModify
  const readOnly = file.type === 'textImmutable' || !mayModify
  return (
    <>
      <span className={styles.fact}>
        {isOther ? t('editor.encoding.other') : mark === '' ? t('editor.encoding.plain') : t('editor.encoding.bom')}
      </span>
      <span className={styles.fact}>{lineEnds}</span>
      <span className={styles.fact}>{formatBytes(file.size)}</span>
      {readOnly && <span className="ellipsis shrinkable">{readOnlyReason(mayModify)}</span>}
    </>
  )
}

function readOnlyReason(mayModify: boolean): string {
  return mayModify ? t('editor.read-only.bytes') : t('editor.read-only.right')
}

function downloadEntry(path: FilePath): MenuEntry {
  const onSelect = () => startDownload(fileAddress(path))
  return { kind: 'action', id: 'download', label: t('editor.download'), icon: Download, onSelect }
}

const REFRESH_MS = 200
const MODES = { narrow: ['edit', 'preview'], wide: ['edit', 'split', 'preview'] } as const satisfies Record<string, readonly Mode[]>

/** View mode, and the text at the last pause in typing. */
function useRendered(file: File) {
  const kind = renderedKind(file.name)
  const wide = useMedia('(width >= 1024px)')
  const remember = `satchel-editor-${kind}`
  const asked = useSearchParams().get('edit')
  const [chosen, setChosen] = useState<Mode>(() =>
    kind === null ? 'edit' : firstMode({ asked, remembered: localStorage.getItem(remember), wide }),
  )
  const [text, setText] = useState(file.content ?? '')
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  const mode = chosen === 'split' && !wide ? 'edit' : chosen
  return {
    kind,
    text,
    modes: MODES[wide ? 'wide' : 'narrow'],
    mode,
    choose: (wanted: Mode, now: string) => {
      localStorage.setItem(remember, wanted)
      setText(now)
      setChosen(wanted)
    },
    showLetters: () => setChosen('edit'),
    refresh: (read: () => string) => {
      if (mode === 'edit') return
      clearTimeout(timer.current)
      timer.current = window.setTimeout(() => setText(read()), REFRESH_MS)
    },
  }
}

/** Selects the range named in the address, on every navigation to one. */
function useSpot({ view, rendered }: { view: { readonly current: CodeView | null }; rendered: ReturnType<typeof useRendered> }): void {
  const { hash, key } = useLocation()
  const { mode, showLetters } = rendered
  const shown = useRef<string | null>(null)
  // Synchronises with the code view.
  useEffect(() => {
    const spot = parseTextRange(hash)
    if (spot === null || shown.current === key) return
    if (mode === 'preview') return showLetters()
    shown.current = key
    view.current?.select(spot)
  }, [hash, key, mode, showLetters, view])
}

/** The editor lives outside React; React only knows whether it has unsaved changes. */
function useCodeView({
  file,
  readOnly,
  wrap,
  onCursor,
  onText,
}: {
  file: File
  readOnly: boolean
  wrap: boolean
  onCursor: (place: CursorPlace) => void
  onText: (read: () => string) => void
}) {
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<CodeView | null>(null)
  const first = useRef({ text: file.content ?? '', wrap, readOnly })
  const [dirty, setDirty] = useState(false)
  const changed = useEffectEvent(onText)
  useEffect(() => {
    if (parent.current === null) return
    const code = createCodeView({
      parent: parent.current,
      label: file.name,
      ...first.current,
      phrases: findPhrases(),
      onChange: () => {
        setDirty(code.isChanged())
        changed(() => code.capture().text)
      },
      onCursor,
    })
    view.current = code
    code.focus()
    return () => code.destroy()
  }, [file.name, onCursor])
  useEffect(() => view.current?.setReadOnly(readOnly), [readOnly])
  const checkDirty = () => setDirty(view.current?.isChanged() ?? false)
  return { parent, view, dirty, checkDirty }
}
