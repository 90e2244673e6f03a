import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { idsOfPeople, listPeople, type PeopleQuery } from './list.ts'
import { createPeople, type PeopleDeps } from './people.ts'

/** Many accounts at once, for administrators. */
export function createPeopleModule({ db, ...deps }: PeopleDeps & { readonly db: Kysely<Schema> }) {
  return { services: { people: { ...createPeople(deps), ...listsIn(db) } } }
}

function listsIn(db: Kysely<Schema>) {
  return {
    list: (query: PeopleQuery) => listPeople(db, query),
    ids: (query: Omit<PeopleQuery, 'after'>) => idsOfPeople(db, query),
  }
}

export type PeopleService = ReturnType<typeof createPeopleModule>['services']['people']
