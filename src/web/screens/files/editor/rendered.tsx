import { lazy, Suspense, useMemo } from 'react'
import { raw } from '../../../../shared/contract/raw.ts'
import { useNavigate } from '../../../router/router.tsx'
import { href } from '../../../../shared/contract/endpoint.ts'
import { type FilePath, parentOf } from '../../../../shared/file-path.ts'
import { inTime } from '../../../data/chunks.ts'
import { address } from '../../../data/client.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { fullAddress, urlFromPath } from '../../../data/paths.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { resolveReference, type RenderedKind } from '../../../widgets/viewers/rendered.ts'

const MarkdownView = lazy(async () => ({ default: (await inTime(import('../../../widgets/viewers/markdown-view.tsx'))).MarkdownView }))
const TableView = lazy(async () => ({ default: (await inTime(import('../../../widgets/viewers/table-view.tsx'))).TableView }))

export interface RenderedProps {
  kind: RenderedKind
  text: string
  name: string
  path: FilePath
  /** Whether images may be loaded. */
  mayDownload: boolean
}

/** Preview of a text: Markdown as a document, CSV as a table. */
export function Rendered({ kind, text, name, path, mayDownload }: RenderedProps) {
  const navigate = useNavigate()
  const references = useMemo(() => {
    const folder = parentOf(path)
    return {
      image: (written: string) => {
        const place = resolveReference(folder, written)
        if (place === null || !mayDownload) return null
        return address(href(raw.get, { params: { path: place }, query: { inline: 'true' } }))
      },
      link: (written: string) => {
        const place = resolveReference(folder, written)
        return place && fullAddress(urlFromPath(place, { folder: written.endsWith('/') }))
      },
    }
  }, [path, mayDownload])
  return (
    <Suspense fallback={<Spinner size={32} />}>
      {kind === 'table' ? (
        <TableView text={text} name={name} />
      ) : (
        <MarkdownView
          text={text}
          name={name}
          references={references}
          onFollow={(place) => void navigate(place.slice(pageConfig.BaseURL.length))}
        />
      )}
    </Suspense>
  )
}
