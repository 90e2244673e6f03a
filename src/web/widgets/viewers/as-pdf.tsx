import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../../i18n/i18n.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { type ByteSource, bytesFrom } from './byte-source.ts'
import type { PdfPages, Viewers } from './viewers.ts'

export interface AsPdfProps {
  name: string
  /** Of the PDF that the server makes of the file. */
  address: string
  viewers: Viewers
  pages: PdfPages
  /** Shown if the server makes none. */
  otherwise: ReactNode
}

/** An office document, as a PDF that the server makes of it. */
export function AsPdf({ name, address, viewers, pages, otherwise }: AsPdfProps) {
  const source = useBytes(address)
  if (source === 'none') return otherwise
  if (source === null)
    return (
      <p className="row gap-4 muted" role="status">
        <Spinner size={18} /> {t('preview.office.wait')}
      </p>
    )
  return <viewers.pdf name={name} source={source} address={address} otherwise={otherwise} {...pages} />
}

function useBytes(address: string): ByteSource | 'none' | null {
  const [found, setFound] = useState<{ address: string; source: ByteSource | 'none' } | null>(null)
  // The server makes the PDF when it is asked for the first time. It keeps it in one piece, so it is read in one.
  useEffect(() => {
    const control = new AbortController()
    bytesFrom(address, control).then(
      (source) => setFound({ address, source }),
      () => control.signal.aborted || setFound({ address, source: 'none' }),
    )
    return () => control.abort()
  }, [address])
  return found?.address === address ? found.source : null
}
