import { lazy, Suspense, useMemo } from 'react'
import { useNavigate } from '../../router/router.tsx'
import { parentOf, ROOT } from '../../../shared/file-path.ts'
import { inTime } from '../../data/chunks.ts'
import { pageConfig } from '../../data/page-config.ts'
import { fullAddress } from '../../data/paths.ts'
import { urlInShare } from '../../data/share-links.ts'
import { sharedInline, type ShareLocation } from '../../data/shared-resource.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { resolveReference } from '../../widgets/viewers/rendered.ts'

const MarkdownView = lazy(async () => ({ default: (await inTime(import('../../widgets/viewers/markdown-view.tsx'))).MarkdownView }))

/** Markdown of a share; its images and links can only refer to the same share. */
export function SharedMarkdown({ place: { hash, path }, name, text }: { place: ShareLocation; name: string; text: string }) {
  const navigate = useNavigate()
  const references = useMemo(() => {
    // A file that is shared on its own has no siblings.
    const beside = (written: string) => (path === ROOT ? null : resolveReference(parentOf(path), written))
    return {
      image: (written: string) => {
        const image = beside(written)
        return image && sharedInline({ hash, path: image })
      },
      link: (written: string) => {
        const linked = beside(written)
        return linked && fullAddress(urlInShare(hash, linked, { folder: written.endsWith('/') }))
      },
    }
  }, [hash, path])
  return (
    <Suspense fallback={<Spinner size={28} />}>
      <MarkdownView
        text={text}
        name={name}
        references={references}
        onFollow={(address) => void navigate(address.slice(pageConfig.BaseURL.length))}
      />
    </Suspense>
  )
}
