import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'
import { Rule } from '../../shared/contract/users.ts'
import { type FilePath, isWithin, pathFrom, placeUnder } from '../../shared/file-path.ts'
import { matcherOf } from '../../shared/rules.ts'
import { cleanScope } from '../../shared/scope.ts'
import { isAtOrBelow } from '../db/at-or-below.ts'
import { inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { Settings } from '../settings/settings.ts'
import { loadSetting, saveSetting } from '../settings/store.ts'

/** Old paths of the storage with the new ones, both in Unicode NFC. */
export type Renames = ReadonlyMap<FilePath, FilePath>

/** Whose access may have changed. */
export interface Renamed {
  readonly grants: boolean
  readonly groups: boolean
  readonly settings: boolean
  readonly users: readonly number[]
}

/** A list of rules, and the folder that their paths begin at; null where its people have several folders, so that no path is about one place. */
interface RuleList {
  readonly rules: readonly Rule[]
  readonly scope: FilePath | null
}

const Rules = z.array(Rule)

/** Roles and rules that name a node by its path: what a rename or a move has to take along. Patterns name none. */
export function createNamedPaths(db: Kysely<Schema>) {
  return {
    /** The paths of the storage, in Unicode NFC, at or below one that some role or rule names. */
    async below(place: FilePath): Promise<FilePath[]> {
      const composed = place.normalize('NFC') as FilePath
      const grants = db.selectFrom('grants').select('path').where('regex', '=', 0).where(isAtOrBelow(composed, 'path')).execute()
      const [granted, lists] = await Promise.all([grants, ruleLists(db, [composed])])
      // Written from a FilePath.
      const paths = new Set(granted.map(({ path }) => path as FilePath))
      for (const list of [lists.everybody, ...lists.groups, ...lists.users])
        for (const path of pathsIn(list)) if (isWithin(path, composed)) paths.add(path)
      return [...paths]
    },

    /**
     * All at once, or nothing. A rule whose node leaves the folder of its people stays at its path, and so does a role where its subject has another one
     * at the new path.
     */
    async rename(renames: Renames): Promise<Renamed> {
      return inTransaction(db, async (trx) => {
        const lists = await ruleLists(trx, [...renames.keys()])
        const grants = await renameGrants(trx, renames)
        const groups = lists.groups.flatMap((list) => changed(list, renames))
        for (const { id, rules } of groups) await trx.updateTable('groups').set({ rules }).where('id', '=', id).execute()
        const users = lists.users.flatMap((list) => changed(list, renames))
        for (const { id, rules } of users)
          await trx
            .updateTable('users')
            .set({ rules, version: sql`version + 1` })
            .where('id', '=', id)
            .execute()
        const settings = changed({ ...lists.everybody, id: 0 }, renames)
        for (const { rules } of settings) await saveRules(trx, rules)
        return { grants, groups: groups.length > 0, settings: settings.length > 0, users: users.map(({ id }) => id) }
      })
    },
  }
}

export type NamedPaths = ReturnType<typeof createNamedPaths>

async function renameGrants(trx: Kysely<Schema>, renames: Renames): Promise<boolean> {
  const named = await trx
    .selectFrom('grants')
    .select(['id', 'subject', 'path'])
    .where('regex', '=', 0)
    .where('path', 'in', [...renames.keys()])
    .execute()
  let isChanged = false
  for (const { id, subject, path } of named) {
    const to = renames.get(path as FilePath)
    if (to === undefined) continue
    const there = trx.selectFrom('grants').select('id').where('regex', '=', 0).where('subject', '=', subject).where('path', '=', to)
    if ((await there.executeTakeFirst()) !== undefined) continue
    await trx.updateTable('grants').set({ path: to }).where('id', '=', id).execute()
    isChanged = true
  }
  return isChanged
}

/** Lists without a rule are left out, and those of people whose folder has nothing to do with these paths. */
async function ruleLists(db: Kysely<Schema>, places: readonly FilePath[]) {
  const settings = Settings.parse(JSON.parse((await loadSetting(db, 'settings')) ?? '{}'))
  const users = await db.selectFrom('users').select(['id', 'scope', 'rules']).where('rules', '!=', '[]').execute()
  const groups = await db.selectFrom('groups').select(['id', 'rules']).where('rules', '!=', '[]').execute()
  const everybody = settings.rules.length === 0 ? [] : await db.selectFrom('users').select('scope').distinct().execute()
  const members =
    groups.length === 0
      ? []
      : await db
          .selectFrom('memberships')
          .innerJoin('users', 'users.id', 'memberships.user_id')
          .select(['memberships.group_id', 'users.scope'])
          .distinct()
          .execute()
  return {
    everybody: { rules: settings.rules, scope: onlyOne(everybody) },
    groups: groups.map(({ id, rules }) => ({
      id,
      rules: Rules.parse(JSON.parse(rules)),
      scope: onlyOne(members.filter((member) => member.group_id === id)),
    })),
    users: users.flatMap(({ id, rules, scope: given }) => {
      const scope = cleanScope(given)
      const composed = scope.normalize('NFC') as FilePath
      const isNear = places.some((place) => isWithin(place, composed) || isWithin(composed, place))
      return isNear ? [{ id, rules: Rules.parse(JSON.parse(rules)), scope }] : []
    }),
  }
}

function onlyOne(rows: readonly { readonly scope: string }[]): FilePath | null {
  const [first, ...others] = new Set(rows.map(({ scope }) => cleanScope(scope)))
  return others.length === 0 ? (first ?? null) : null
}

/** Paths of the storage, in Unicode NFC. */
function pathsIn({ rules, scope }: RuleList): FilePath[] {
  return scope === null ? [] : rules.flatMap((rule) => placeOf(rule, scope) ?? [])
}

function placeOf(rule: Rule, scope: FilePath): FilePath | null {
  const { path } = matcherOf(rule)
  return path === null || path === '' ? null : (placeUnder(scope, path as FilePath).normalize('NFC') as FilePath)
}

/** The list as the database keeps it; nothing if it stays as it is. */
function changed({ id, rules, scope }: RuleList & { readonly id: number }, renames: Renames): { id: number; rules: string }[] {
  if (scope === null) return []
  let isChanged = false
  const next = rules.map((rule): Rule => {
    const place = placeOf(rule, scope)
    const to = place === null ? undefined : renames.get(place)
    const path = to === undefined ? null : pathFrom(scope.normalize('NFC') as FilePath, to)
    if (path === null) return rule
    isChanged = true
    return { ...rule, path }
  })
  return isChanged ? [{ id, rules: JSON.stringify(next) }] : []
}

async function saveRules(trx: Kysely<Schema>, rules: string): Promise<void> {
  const before = Settings.parse(JSON.parse((await loadSetting(trx, 'settings')) ?? '{}'))
  await saveSetting(trx, 'settings', JSON.stringify({ ...before, rules: Rules.parse(JSON.parse(rules)) }))
}
