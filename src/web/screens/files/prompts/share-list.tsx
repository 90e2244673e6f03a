import { Download, Link2, QrCode } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import type { Share } from '../../../../shared/contract/shares.ts'
import { copyAndTell } from '../../../data/copy-text.ts'
import { ask } from '../../../data/prompts.ts'
import { nameOfShare, shareDownloadLink, shareLink } from '../../../data/share-links.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import { ShareActions } from '../../../widgets/share-actions.tsx'
import { ShareBadges } from '../../../widgets/share-badges.tsx'
import styles from './share-dialog.module.css'

const QrPicture = lazy(async () => ({ default: (await import('../../../widgets/qr-picture.tsx')).QrPicture }))

/** The links of an entry with address, QR code, expiry and options. @param made the one just created */
export function ShareList({ shares, made }: { shares: readonly Share[]; made: string | null }) {
  const first = shares.filter(({ hash }) => hash === made)
  const only = shares.length === 1
  return (
    <ul className="grid" aria-label={t('share.links')}>
      {[...first, ...shares.filter(({ hash }) => hash !== made)].map((share) => (
        <LinkCard key={share.hash} share={share} isNew={share.hash === made} open={only || share.hash === made} />
      ))}
    </ul>
  )
}

/** @param open whether the QR code is expanded */
function LinkCard({ share, isNew, open }: { share: Share; isNew: boolean; open: boolean }) {
  const name = nameOfShare(share)
  const link = shareLink(name)
  const [code, setCode] = useState(open)
  const id = useId()
  const card = useRef<HTMLLIElement>(null)
  // Focuses the new link, because the focused form has disappeared; again in the next frame, because the dialog may restore focus later.
  useEffect(() => {
    if (!isNew) return
    const give = () => card.current?.contains(document.activeElement) || card.current?.querySelector('button')?.focus()
    give()
    const frame = requestAnimationFrame(give)
    return () => cancelAnimationFrame(frame)
  }, [isNew])
  return (
    <li ref={card} className={styles.link}>
      <div className={styles.address}>
        <a className={styles.url} href={link} target="_blank" rel="noreferrer" dir="ltr">
          {link}
        </a>
        <CopyButton label={`${t('visit.copy')} ${name}`} word={t('visit.copy')} icon={Link2} copy={() => copyLink(link)} primary />
      </div>
      {share.title !== '' && (
        <p className="break-anywhere">
          <bdi>{share.title}</bdi>
        </p>
      )}
      <div className={styles.terms}>
        <ShareBadges share={share} withDuration />
        <span className="row rigid gap-2 to-end">
          <IconButton
            size="small"
            label={t(code ? 'share.qr.hide' : 'share.qr.show', { hash: name })}
            icon={QrCode}
            iconSize={16}
            aria-expanded={code}
            aria-controls={id}
            onClick={() => setCode(!code)}
          />
          {!share.hasPassword && (share.rights === 'download' || share.rights === 'edit') && (
            <CopyButton label={t('share.copy-download', { hash: name })} icon={Download} copy={() => copyLink(shareDownloadLink(name))} />
          )}
          <ShareActions
            name={name}
            onVisits={() => void ask('share-visits', { share }, { onTop: true })}
            onEdit={() => void ask('share-edit', { share }, { onTop: true })}
            onEnd={() => void ask('share-end', { share }, { onTop: true })}
          />
        </span>
      </div>
      <div id={id} className={styles.code} hidden={!code}>
        {code && (
          <Suspense fallback={<div className={styles.coming} />}>
            <QrPicture text={link} label={t('share.qr', { hash: name })} />
          </Suspense>
        )}
      </div>
    </li>
  )
}

function copyLink(link: string): Promise<boolean> {
  return copyAndTell(link, { done: t('share.copied'), failed: t('share.copy-failed', { link }) })
}
