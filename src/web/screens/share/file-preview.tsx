import { Download, Maximize } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useLocation, useNavigate } from '../../router/router.tsx'
import type { SharedFile, SharedLink } from '../../../shared/contract/public.ts'
import { type FilePath, nameOf, parentOf } from '../../../shared/file-path.ts'
import type { ListedEntry } from '../../data/listing.ts'
import { neighboursOf } from '../../data/neighbours.ts'
import { hasTwoSizes } from '../../data/pictures.ts'
import { isAsking } from '../../data/prompts.ts'
import { urlInShare } from '../../data/share-links.ts'
import { sharedImage } from '../../data/shared-media.ts'
import { sharedDownload, sharedPicture, useSharedResource } from '../../data/shared-resource.ts'
import { formatBytes, formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { IconLink } from '../../ui/icon-link.tsx'
import { previewTheme } from '../../widgets/media-viewer.tsx'
import { PreviewOverlay } from '../../widgets/preview-overlay.tsx'
import { isOnlyPicture } from './only-picture.ts'
import { FileContent } from './file-content.tsx'

/** Full-window preview of a file of a shared folder; arrow keys move between media files. */
export function FilePreview({ hash, path, file, link }: { hash: string; path: FilePath; file: SharedFile; link: SharedLink }) {
  const asPicture = isOnlyPicture(link)
  const navigate = useNavigate()
  const cameFromList = useCameFromList()
  const [full, setFull] = useState(false)
  const { data: around } = useSharedResource({ hash, path: parentOf(path) })
  const folder = around?.kind === 'folder' ? around : null
  const { previous, next, at, count } = useMemo(() => neighboursOf(folder, file.name), [folder, file.name])

  useAhead(hash, [next, previous], asPicture)

  const close = () =>
    void navigate(urlInShare(hash, parentOf(path), { folder: true }), { replace: cameFromList, state: { focus: nameOf(path) } })
  // Replaces the history entry when moving between files, so that Back returns to the folder.
  const open = (to: { path: FilePath } | null) =>
    to !== null &&
    void navigate(urlInShare(hash, to.path, { folder: false }), { replace: true, state: cameFromList ? { from: 'list' } : null })
  return (
    <PreviewOverlay
      name={file.name}
      meta={
        <>
          {at > 0 && <span>{t('preview.place', { at: formatNumber(at), count: formatNumber(count) })} · </span>}
          <bdi>{formatBytes(file.size)}</bdi>
        </>
      }
      hides={file.type === 'image' || file.type === 'video'}
      theme={previewTheme(file.type)}
      isQuiet={isAsking}
      onClose={close}
      // Texts have no previous or next file.
      onPrevious={at > 0 && previous !== null ? () => open(previous) : null}
      onNext={at > 0 && next !== null ? () => open(next) : null}
      actions={
        <>
          {file.type === 'image' && hasTwoSizes(file.name) && !asPicture && (
            <IconButton label={t('preview.full-size')} icon={Maximize} iconSize={20} pressed={full} onClick={() => setFull(!full)} />
          )}
          {link.rights !== 'view' && file.type !== 'invalid_link' && (
            <IconLink label={t('preview.download')} icon={Download} iconSize={20} href={sharedDownload({ hash, path })} download />
          )}
        </>
      }
    >
      <FileContent
        place={{ hash, path }}
        file={file}
        full={full}
        asPicture={asPicture}
        overlay={{ onSwipe: (to) => open(to === 'next' ? next : previous) }}
      />
    </PreviewOverlay>
  )
}

function useCameFromList(): boolean {
  const state: unknown = useLocation().state
  return typeof state === 'object' && state !== null && 'from' in state
}

/** Preloads the neighbouring images. */
function useAhead(hash: string, entries: readonly (ListedEntry | null)[], asPicture: boolean): void {
  const wanted = entries
    .flatMap((entry) => (entry?.type === 'image' ? entry : []))
    .map(({ name, path, modified }) => {
      const place = { hash, path }
      return asPicture ? sharedPicture('big', place, modified) : sharedImage(place, { name, modified, full: false })
    })
    .join('\n')
  // Synchronises with the browser's cache.
  useEffect(() => {
    for (const src of wanted === '' ? [] : wanted.split('\n')) new Image().src = src
  }, [wanted])
}
