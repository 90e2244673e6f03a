import { appSignIns } from './app-sign-ins.ts'
import { audit } from './audit.ts'
import { command } from './command.ts'
import { jobs } from './jobs.ts'
import { bulk } from './bulk.ts'
import { locks } from './locks.ts'
import { live } from './live.ts'
import { explain } from './explain.ts'
import { factors } from './factors.ts'
import { access, grants, groups } from './groups.ts'
import { favourites } from './favourites.ts'
import { mail } from './mail.ts'
import { operations, rewind } from './operations.ts'
import { passwordLinks } from './password-links.ts'
import { peopleShares } from './people-shares.ts'
import { directories, directory } from './directories.ts'
import { oidc, providers } from './providers.ts'
import { photos } from './photos.ts'
import { previews } from './previews.ts'
import { quotas } from './quotas.ts'
import { raw } from './raw.ts'
import { resources } from './resources.ts'
import { roots } from './roots.ts'
import { search } from './search.ts'
import { settings } from './settings.ts'
import { secondSteps } from './second-steps.ts'
import { session } from './session.ts'
import { sizes } from './sizes.ts'
import { handOver } from './hand-over.ts'
import { people } from './people.ts'
import { sent, shared } from './public.ts'
import { shares } from './shares.ts'
import { terminal } from './terminal.ts'
import { snapshots } from './snapshots.ts'
import { tokens } from './tokens.ts'
import { trash } from './trash.ts'
import { tus } from './tus.ts'
import { unpack } from './unpack.ts'
import { users } from './users.ts'
import { viewings } from './viewings.ts'
import { versions } from './versions.ts'
import { webhooks } from './webhooks.ts'

const { login, ...rest } = session

/** Every call of the API. A route exists if it is listed here. */
export const api = {
  session: { login, ...secondSteps, ...rest },
  factors,
  tokens,
  appSignIns,
  users,
  people,
  handOver,
  groups,
  grants,
  access,
  quotas,
  explain,
  settings,
  roots,
  resources,
  search,
  raw,
  previews,
  photos,
  tus,
  bulk,
  locks,
  shares,
  peopleShares,
  viewings,
  shared,
  sent,
  command,
  live,
  audit,
  terminal,
  webhooks,
  unpack,
  jobs,
  sizes,
  favourites,
  trash,
  operations,
  rewind,
  versions,
  snapshots,
  mail,
  passwordLinks,
  oidc,
  providers,
  directories,
  directory,
} as const
