import type { FilePath } from '../../../../shared/file-path.ts'
import { useLocks, useRemoveLocks } from '../../../data/locks.ts'
import { notify } from '../../../data/notices.ts'
import { useUser } from '../../../data/session.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'

/** Who has locked a file by WebDAV; nothing if nobody has. Its holder and administrators can remove the lock. */
export function Locks({ path }: { path: FilePath }) {
  const { perm } = useUser()
  const locks = useLocks(path) ?? []
  const remove = useRemoveLocks()
  if (locks.length === 0) return null
  const mayRemove = perm.admin || locks.every(({ mine }) => mine)
  const onRemove = (): void => remove.mutate(path, { onSuccess: () => void notify({ tone: 'success', text: t('locks.removed') }) })
  return (
    <div className="grid gap-4" role="status">
      {locks.map(({ holder, until, path: place }) => (
        <p key={`${place} ${holder}`} className="text-small break-anywhere">
          {t('locks.by', { holder: `\u2068${holder}\u2069`, time: formatDateTime(new Date(until)) })}
        </p>
      ))}
      {mayRemove && (
        <div>
          <Button label={t('locks.remove')} busy={remove.isPending} onClick={onRemove} />
        </div>
      )}
    </div>
  )
}
