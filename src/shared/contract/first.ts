import { command } from './command.ts'
import { previews } from './previews.ts'
import { raw } from './raw.ts'
import { resources } from './resources.ts'
import { search } from './search.ts'
import { settings } from './settings.ts'
import { session } from './session.ts'
import { shared } from './public.ts'
import { shares } from './shares.ts'
import { tus } from './tus.ts'
import { users } from './users.ts'

/**
 * The calls that the first page of the web may make: all but those that only its later parts need, which bring their own. The budget of initial
 * JavaScript is the reason; everybody else reads `index.ts`.
 */
export const api = { session, users, settings, resources, search, raw, previews, tus, shares, shared, command } as const
