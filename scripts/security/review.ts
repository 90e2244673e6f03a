import type { Group } from './attack.ts'

/** What people found who attacked this product and had not built it. Their tests are named by the row first: `A19: …`. */
export const REVIEW: Group = {
  title: 'An outside review of this product',
  attacks: [
    {
      id: 'A2',
      did: 'A page on another port or a sibling domain opened the terminal with the cookie of somebody signed in.',
      why: 'One place decides who sent a request: cookies count for pages of exactly our origin, and a socket opened by any other page is refused (I16).',
    },
    {
      id: 'A5',
      did: 'Whoever knew a few link passwords used them all the time, and nobody else could sign in.',
      why: 'Passwords are computed in turns that are fair between accounts, links and networks, people before visitors; a right answer is computed once (I12).',
    },
    {
      id: 'A13',
      did: 'A made-up ticket downloaded a link with a limit of one a hundred times at once.',
      why: 'Tickets of limited links are sealed with a key of the link; what we did not give out is a new visitor each time (I12).',
    },
    {
      id: 'A16',
      did: 'The log named links and the secrets of visitors’ uploads, the database those secrets.',
      why: 'The log leaves both out, however the address is written; the database holds a hash of the secret (I7).',
    },
    {
      id: 'A18',
      did: 'Wrong sign-ins from many IPv6 networks kept right ones from new addresses out.',
      why: 'Sites and providers have limits of their own, and networks that did not guess have a reserve and a count of their own at each account (I12).',
    },
    {
      id: 'A19',
      did: 'Files in the folder where the server is started were run as code (`bunfig.toml`, `tsconfig.json`), or set its options (`.env`).',
      why: 'Every runtime that is started gets options by which it reads none of them; a configuration file in a served folder is refused unless it is named.',
    },
    {
      id: 'A20',
      did: 'A package shipped x86-64 code as its build for arm64, and none for musl: `.tar.xz` downloads broke off there.',
      why: 'xz is WebAssembly, the same everywhere; a test looks at the machine code of every package and at the platforms that the lock file has.',
    },
  ],
}
