import type { PlannedChange } from '../../../../shared/contract/explain.ts'
import type { Group } from '../../../../shared/contract/groups.ts'
import { useGroups, useGroupsOf, useSetMember } from '../../../data/groups.ts'
import { ask } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import '../effect/kinds.ts'
import { GrantsCard } from '../groups/grants-card.tsx'
import { Section } from '../section.tsx'

/** The groups of a person, and folders on which they have a role; each change is saved at once. */
export function GroupsOfUser({ id }: { id: number }) {
  const { data: all = [] } = useGroups()
  const { data: own = [] } = useGroupsOf(id)
  const set = useSetMember()
  const ids = new Set(own.map((group) => group.id))
  const change = async (group: Pick<Group, 'id' | 'name'>, isMember: boolean) => {
    const confirmLabel = t(isMember ? 'users.join' : 'users.leave')
    const planned: PlannedChange = { what: isMember ? 'join' : 'leave', group: group.id, people: [id] }
    if ((await ask('effect', { title: `${confirmLabel}: ${displayName(group.name)}`, confirmLabel, change: planned })) === null) return
    set.mutate({ group: group.id, user: id, isMember })
  }
  return (
    <>
      <Section title={t('groups.title')} text={t('user.groups.text')}>
        {all.length === 0 ? (
          <p className="muted text-small">{t('groups.none')}</p>
        ) : (
          all.map((group) => (
            <Checkbox
              key={group.id}
              label={displayName(group.name)}
              checked={ids.has(group.id)}
              disabled={set.isPending}
              onChecked={(isMember) => void change(group, isMember)}
            />
          ))
        )}
      </Section>
      <Section title={t('grants.title')} text={t('grants.text')}>
        <GrantsCard who={{ kind: 'user', id }} />
      </Section>
    </>
  )
}
