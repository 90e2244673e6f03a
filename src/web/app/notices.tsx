import { useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { NOTICE_MS } from '../../shared/limits.ts'
import { closeNotice, type Notice, useNotices } from '../data/notices.ts'
import { pageConfig } from '../data/page-config.ts'
import { ISSUES_URL } from '../data/project.ts'
import { t } from '../i18n/i18n.tsx'
import { Button, buttonClassName } from '../ui/button.tsx'
import { Toast } from '../ui/toast.tsx'
import { avoidControls } from './avoid-controls.ts'
import styles from './notices.module.css'

/** Notices in the corner of the window. Rendered outside the page's tree, so that they stay readable above dialogs. */
export function Notices() {
  const shown = useNotices((state) => state.shown)
  const corner = useRef<HTMLElement>(null)
  // Measures the page, which only the browser knows.
  useLayoutEffect(() => (corner.current === null || shown.length === 0 ? undefined : avoidControls(corner.current)), [shown])
  const errors = shown.filter((notice) => notice.tone === 'error')
  const others = shown.filter((notice) => notice.tone !== 'error')
  return createPortal(
    <section ref={corner} className={styles.corner} data-part="notices" aria-label={t('frame.notices')}>
      {/* Both live regions exist from the start, so that new notices are announced. */}
      <div role="alert" className={styles.stack}>
        {errors.map((notice) => (
          <OneNotice key={notice.id} notice={notice} />
        ))}
      </div>
      <div role="status" aria-live="polite" className={styles.stack}>
        {others.map((notice) => (
          <OneNotice key={notice.id} notice={notice} />
        ))}
      </div>
    </section>,
    document.body,
  )
}

function OneNotice({ notice }: { notice: Notice }) {
  const close = () => closeNotice(notice.id)
  const isError = notice.tone === 'error'
  const reportable = isError && notice.reportable !== false && !pageConfig.DisableExternal
  const hasActions = (notice.actions?.length ?? 0) > 0
  const leaves = notice.tone === 'success' || notice.tone === 'info'
  return (
    <Toast
      tone={notice.tone}
      text={notice.text}
      detail={notice.detail}
      more={notice.output ? { label: t('frame.notices.output'), text: notice.output } : undefined}
      // Buttons can be reached for as long as nothing else is done, and a while longer.
      closesAfterMs={leaves ? (hasActions ? 6 * NOTICE_MS : NOTICE_MS) : null}
      waits={hasActions}
      closeLabel={t('action.close')}
      onClose={close}
      actions={
        (isError || hasActions) && (
          <>
            {notice.actions?.map(({ label, run }) => (
              <Button
                label={label}
                key={label}
                size="small"
                onClick={() => {
                  run()
                  close()
                }}
              />
            ))}
            {isError && <Button label={t('action.close')} size="small" onClick={close} />}
            {reportable && (
              <a className={buttonClassName({ variant: 'quiet', size: 'small' })} href={ISSUES_URL} target="_blank" rel="noreferrer">
                {t('action.report')}
              </a>
            )}
          </>
        )
      }
    />
  )
}
