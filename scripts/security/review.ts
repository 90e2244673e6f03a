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
      id: 'A4',
      did: 'On a disk that folds letters (exFAT, HFS+, case-folding ext4), another spelling of a denied name reached it: `STRAßE` for `Straße`.',
      why: 'The disk says which names are one node: on disks that may fold, the folder is read, and the listed name is the one that is judged and opened.',
    },
    {
      id: 'A5',
      did: 'Whoever knew a few link passwords used them all the time, and nobody else could sign in.',
      why: 'Passwords are computed in turns that are fair between accounts, links and networks, people before visitors; a right answer is computed once (I12).',
    },
    {
      id: 'A7',
      did: 'Copying or moving a tree over a folder told by 409 or 403 whether a denied name is in it.',
      why: 'What is denied is refused before anything is compared, there or not; a folder in which a rule names a place may not go at all.',
    },
    {
      id: 'A8',
      did: 'Copies, extractions, archives and listings went on after the account was disabled, the session ended or a rule denied the files.',
      why: 'A Drive asks for the access of this moment before every step, and ends with a failure that nobody takes for a whole answer.',
    },
    {
      id: 'A12',
      did: 'On a disk without times of birth a folder was removed and another made, which got its number: the old link served the newcomer.',
      why: 'There a shared folder holds a mark, out of sight in `.satchel`, which goes where it goes and is in no other.',
    },
    {
      id: 'A13',
      did: 'A made-up ticket downloaded a link with a limit of one a hundred times at once.',
      why: 'Tickets of limited links are sealed with a key of the link; what we did not give out is a new visitor each time (I12).',
    },
    {
      id: 'A14',
      did: 'A link of the disk with `../secret/x/..` in its target told whether the folder exists in a denied place.',
      why: 'Rules are asked about every link that is followed and every folder that a way leaves again.',
    },
    {
      id: 'A15',
      did: 'Events of an open folder told of changes to hidden files in it.',
      why: 'Word of a change counts only where its viewer may see the entry; where only the time of the folder tells, the visible entries are compared.',
    },
    {
      id: 'A16',
      did: 'The log named links and the secrets of visitors’ uploads, the database those secrets.',
      why: 'The log leaves both out, however the address is written; the database holds a hash of the secret (I7).',
    },
    {
      id: 'A17',
      did: 'A denying pattern that ends in `$` matched a folder and left what is in it open.',
      why: 'A folder that a rule denies is denied with everything below it, until a later rule allows a part of it again.',
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
    {
      id: 'A21',
      did: 'A request without a host (HTTP/1.0), or with one that can be none, was served under another path: `/x/api/…` reached a call past a proxy that refuses its path, the log named another address, and `/health` was always fine.',
      why: 'The path is the one of the first line, whatever the request says of a host.',
    },
  ],
}
