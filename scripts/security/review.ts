import type { Group } from './attack.ts'

/** Findings of an external review of Satchel. Titles of their tests begin with the id: `A19: …`. */
export const REVIEW: Group = {
  title: 'External review of Satchel',
  attacks: [
    {
      id: 'A2',
      did: 'A page on another port or a sibling domain opened the terminal with the cookie of a signed-in user.',
      why: 'One function checks where a request comes from: cookies are accepted from pages of exactly this origin, and sockets opened by other pages are refused (I16).',
    },
    {
      id: 'A4',
      did: 'On a case-insensitive disk (exFAT, HFS+, case-folding ext4), another spelling reached a denied name: `STRAßE` for `Straße`.',
      why: 'The disk decides which names are the same file: on such disks the folder is read, and the listed name is checked and opened.',
    },
    {
      id: 'A5',
      did: 'A client that knew a few link passwords used them continuously, and nobody else could sign in.',
      why: 'Password hashing is queued fairly between accounts, links and networks, users before visitors; a correct answer is computed once (I12).',
    },
    {
      id: 'A7',
      did: 'When copying or moving a tree over a folder, 409 or 403 revealed whether a denied name exists in it.',
      why: 'Denied names are refused before anything is compared, whether they exist or not; a folder in which a rule names a path cannot be removed at all.',
    },
    {
      id: 'A8',
      did: 'Copies, extractions, archives and listings continued after the account was disabled, the session ended or a rule denied the files.',
      why: 'A Drive checks the current access before every step and fails in a way that cannot be mistaken for a complete result.',
    },
    {
      id: 'A12',
      did: 'On a disk without creation times, a folder was deleted and a new one got its inode number: the old link served the new folder.',
      why: 'On such disks a shared folder contains a hidden marker in `.satchel`, which moves with the folder and is unique to it.',
    },
    {
      id: 'A13',
      did: 'With forged tickets, a link with a limit of one was downloaded a hundred times at once.',
      why: 'Tickets of limited links are signed with a key of the link; a forged ticket counts as a new visitor (I12).',
    },
    {
      id: 'A14',
      did: 'A symbolic link with `../secret/x/..` in its target revealed whether a folder exists in a denied path.',
      why: 'Rules are checked for every link that is followed and every folder that the path passes through.',
    },
    {
      id: 'A15',
      did: 'Events of an open folder revealed changes to hidden files in it.',
      why: 'A change is reported only to viewers who can see the entry; where only the folder’s time changes, the visible entries are compared.',
    },
    {
      id: 'A16',
      did: 'The log contained links and secrets of visitors’ uploads, and the database those secrets.',
      why: 'The log omits both, however the URL is written; the database stores a hash of the secret (I7).',
    },
    {
      id: 'A17',
      did: 'A denying pattern that ends in `$` matched a folder but left its content accessible.',
      why: 'A denied folder is denied with everything in it, until a later rule allows a part again.',
    },
    {
      id: 'A18',
      did: 'Wrong sign-ins from many IPv6 networks blocked correct ones from new addresses.',
      why: 'Sites and providers have their own limits, and networks without wrong guesses have a reserve and their own count for each account (I12).',
    },
    {
      id: 'A19',
      did: 'Files in the folder where the server is started were executed (`bunfig.toml`, `tsconfig.json`) or set options (`.env`).',
      why: 'Every runtime is started with options that make it ignore them; a configuration file in a served folder is refused unless it is named.',
    },
    {
      id: 'A20',
      did: 'A package shipped x86-64 code as its arm64 build, and none for musl: `.tar.xz` downloads failed there.',
      why: 'xz is WebAssembly, the same everywhere; a test checks the machine code of every package and the platforms in the lock file.',
    },
    {
      id: 'A21',
      did: 'A request without a host (HTTP/1.0), or with one that can be none, was served under another path: `/x/api/…` reached a call past a proxy that refuses its path, the log named another address, and `/health` was always fine.',
      why: 'The path is the one of the first line, whatever the request says of a host; several hosts, or an invalid one, are refused.',
    },
    {
      id: 'A22',
      did: 'Hooks before an upload, a save, a deletion or a new folder ran for minutes; what was denied meanwhile, or asked for by a session that had ended, was still done.',
      why: 'When hooks have run, access is looked up and checked again before anything changes (`src/server/drive/checkpoint.ts`).',
    },
    {
      id: 'A23',
      did: 'A folder was moved below a denied path while a hook or a copy ran: the operation continued in the open folder, and wrote or read files there.',
      why: 'Only what is read at once uses an open folder; operations in several steps walk the path again at each of them (I2, I3).',
    },
    {
      id: 'A24',
      did: 'A terminal that had to end while its files were being prepared started nevertheless, and nothing ended it later: it read denied files, also after its account was disabled.',
      why: 'Whether it must end is checked after the preparation too, not only on the event.',
    },
    {
      id: 'A25',
      did: 'The password of the first administrator, printed at the first start, was read in a log (journal, container, log server) and used long after.',
      why: 'A session that was opened with it may do nothing but choose another password, whatever the client; then it is dead, with every other session (decision 067).',
    },
    {
      id: 'A26',
      did: 'In a Btrfs subvolume that is no mount, in a snapshot, or in a folder that is mounted twice, a terminal read unfinished uploads, the trash and versions of others.',
      why: 'The file system is asked for its subvolumes whenever a program starts, their private folders are masked, and a program ends before the server uses one that is not.',
    },
    {
      id: 'A27',
      did: 'On Btrfs a terminal made a snapshot of its files, in which nothing is masked, and read what rules deny; with kernels that do not check its source also everything outside its scope.',
      why: 'System calls of programs that make subvolumes or snapshots are refused.',
    },
    {
      id: 'A28',
      did: 'A terminal was in a folder when that was deleted, and got by `..` to what others had deleted.',
      why: 'A program whose scope holds the trash ends before a folder that it sees goes there, unless the trash shows its user everything anyway.',
    },
    {
      id: 'people-attack-2',
      did: 'Renames that replaced each other’s source were counted for files that they did not replace: the sum of a quota sank, and it refused nothing.',
      why: 'What is moved, replaced or removed is looked at and changed under the locks of all its paths (I12).',
    },
    {
      id: 'people-attack-3',
      did: 'An account with a small quota filled the disk by uploading and deleting: the trash was not counted, and spared for an hour.',
      why: 'Beyond the trash’s share of the disk, the oldest of the person who deleted most go, at once beyond their quota or when the disk is nearly full (I12).',
    },
    {
      id: 'people-attack-4',
      did: 'Two accounts shared folders with each other: what one put there counted for the other, whose quota did not refuse it.',
      why: 'In somebody else’s place the quotas that count it refuse as well, without their numbers (I12).',
    },
    {
      id: 'people-attack-6',
      did: 'A visitor of a link announced a large upload and sent nothing: the quota of the owner was used up for a day.',
      why: 'Visitors reserve what has arrived; their uploads end after half an hour, and with the link (I12).',
    },
    {
      id: 'people-attack-10',
      did: 'Uploads over a file that was being deleted were counted although nothing was there: a recipient used up the owner’s quota with an empty folder.',
      why: 'Deleting takes the same lock as replacing, and where nothing was found, nothing is replaced (I12).',
    },
    {
      id: 'people-attack-11',
      did: 'An account that replaced large files again and again removed the versions of everybody.',
      why: 'Beyond their share of the disk, versions are taken from the person who replaced most (I12).',
    },
    {
      id: 'people-attack-12',
      did: 'Any number of uploads announced that they would replace one file of their length, and reserved nothing: unfinished bytes filled the disk.',
      why: 'A replaced file makes room for one upload, and all together for no more than there is (I12).',
    },
    {
      id: 'people-attack2-1',
      did: 'An administrator by a claim disconnected their account from the provider, and stayed an administrator whatever the provider said later.',
      why: 'Administration that a connection gave ends with the connection, with the provider and with the directory.',
    },
    {
      id: 'people-attack2-2',
      did: 'Somebody removed a connection that was not theirs from their account; who had come in by it stayed signed in.',
      why: 'The sign-ins of a connection end with it, except the one that removes it (I7).',
    },
    {
      id: 'people-attack2-3',
      did: 'A sign-in at a provider waited for the second factor, and opened a session after the provider, or an administrator, had ended it.',
      why: 'What a first proof carries is checked again with the second, and a logout token ends what waits.',
    },
    {
      id: 'people-attack2-4',
      did: 'People whose provider was removed stayed signed in, and it was still trusted to have asked for their second factor.',
      why: 'Both end when the provider is removed.',
    },
    {
      id: 'people-attack2-7',
      did: 'One person whose groups could not be read stopped every comparison with the directory: nobody who left it lost access.',
      why: 'What keeps one person from being compared is reported, and the others are compared; access ends before anything else is read or written.',
    },
    {
      id: 'people-attack2-8',
      did: 'Somebody whom a directory had brought connected another way in, disconnected from the directory, and stayed when they left it.',
      why: 'Accounts whose way to sign in is locked are disconnected from a directory by administrators only.',
    },
    {
      id: 'people-attack2-10',
      did: 'Somebody with a password took the mail address away, and its owner was told of nothing that followed.',
      why: 'The former address is told, and every new password is, also under a new name.',
    },
    {
      id: 'people-attack3-1',
      did: 'Somebody at a session that was left open removed a connection of the account, and with it a way in of its owner.',
      why: 'Disconnecting needs a recent proof, as connecting does.',
    },
    {
      id: 'people-attack3-2',
      did: 'An administrator changed the path of a provider’s issuer, and got its stored client secret sent to a tenant of their own.',
      why: 'A stored secret counts for its issuer: with another one it must be typed anew (`secret-needed`).',
    },
  ],
}
