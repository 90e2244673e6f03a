import type { Group } from './attack.ts'

/** File Browser's advisories (GitHub: filebrowser/filebrowser). */
export const FILE_BROWSER: readonly Group[] = [
  {
    title: 'File Browser: paths and rules',
    attacks: [
      {
        id: 'GHSA-7w29-q235-57m9',
        did: 'A symbolic link inside the scope led to a folder that a rule denies.',
        why: 'Rules are checked for the link and for its target; either can deny access (I3).',
      },
      {
        id: 'GHSA-8q5j-8wcr-8v2v',
        did: 'A named pipe in a folder blocked its archive for ever.',
        why: 'Files are opened without blocking and checked before they are read; anything that is not a regular file is skipped (I2).',
      },
      {
        id: 'GHSA-77x8-73f4-5485',
        did: 'Copying, moving or deleting a folder included denied children.',
        why: 'The Drive checks every file that an operation touches before it changes the first (I4).',
      },
      {
        id: 'GHSA-fgm5-pw99-w2p7',
        did: 'A name in another case bypassed the rule on a case-insensitive disk.',
        why: 'Rules are checked against the name on the disk, in one Unicode form (I3).',
      },
      {
        id: 'GHSA-4mh3-h929-w968',
        also: ['CVE-2026-25890'],
        did: 'A double slash made the rule miss its path.',
        why: 'A path is decoded once into segments; an empty segment is refused, not removed (I1).',
      },
      {
        id: 'GHSA-9f3r-2vgw-m8xp',
        also: ['CVE-2026-32758'],
        did: 'The destination of a copy was checked before `..` was resolved.',
        why: 'Destinations are parsed by the same code as all paths (I1).',
      },
      {
        id: 'GHSA-5q48-q4fm-g3m6',
        also: ['CVE-2026-35605'],
        did: 'A rule for /team also matched /team-secret.',
        why: 'Rules compare whole segments (I3).',
      },
      {
        id: 'GHSA-239w-m3h6-ch8v',
        also: ['CVE-2026-54094'],
        did: 'A symbolic link to a target outside the scope was followed, as the last or as an inner part of a path.',
        why: 'The kernel opens one segment after the other without following links; Satchel resolves links itself, inside the scope only (I2).',
      },
      {
        id: 'GHSA-8wc8-hf36-mjh9',
        also: ['CVE-2026-55668'],
        did: 'An upload to a dangling symbolic link created its target.',
        why: 'Uploads are staged and published by one rename or link call, which follow no links (I2, I6).',
      },
      {
        id: 'GHSA-gxjx-7m74-hcq8',
        also: ['CVE-2026-54093'],
        did: 'A name with backslashes left the folder when its archive was extracted on Windows.',
        why: 'Entry names consist of sanitised segments that are safe on every system (I14).',
      },
      {
        id: 'GHSA-83xp-526h-j3ww',
        also: ['CVE-2026-62843'],
        did: 'The fix for the previous vulnerability turned backslashes into slashes and allowed path traversal on Linux.',
        why: 'Separators inside a name are replaced by a character that is no separator on any system (I14).',
      },
      {
        id: 'GHSA-67cg-cpj7-qgc9',
        also: ['CVE-2026-35606'],
        did: 'The listing included file contents for users without the download permission.',
        why: 'All content is behind one permission (I5).',
      },
      {
        id: 'GHSA-7whw-q6gh-xr59',
        did: 'Checksums revealed content to users without the download permission.',
        why: 'A checksum needs the same permission as reading (I5).',
      },
    ],
  },
  {
    title: 'File Browser: uploads and writing',
    attacks: [
      {
        id: 'GHSA-c4fr-5f24-4wrj',
        also: ['CVE-2026-90929'],
        did: 'A failed upload to the path of a folder deleted the folder with all its content.',
        why: 'Cleanup touches staging only, never files of the tree; a file never replaces a folder (I6).',
      },
      {
        id: 'GHSA-fmm7-x4gx-8jhr',
        also: ['CVE-2026-55667'],
        did: 'Cleanup after a refused upload deleted files through a symbolic link to the outside.',
        why: 'As above; and recursive operations never follow links (I2, I6).',
      },
      {
        id: 'GHSA-m9f5-2232-frp6',
        did: 'An abandoned upload was cleaned up by its path, which had become a symbolic link to the outside.',
        why: 'Cleanup deletes staged files, which are named by the id of the upload (I6).',
      },
      {
        id: 'GHSA-ffv3-7h97-993q',
        did: 'An upload announced with one byte accepted a terabyte.',
        why: 'The announced length is a limit, with and without Content-Length (I12).',
      },
      {
        id: 'GHSA-4r8p-gqj2-mwgm',
        did: 'Parallel parts at the same offset were all written.',
        why: 'One writer holds the lease of an upload; others get an error (I6).',
      },
      {
        id: 'GHSA-ffx7-75gc-jg7c',
        also: ['CVE-2026-32759'],
        did: 'A negative length counted as a finished upload.',
        why: 'A length must be digits within the safe range; anything else gets 400 before the upload starts (I1, I12).',
      },
      {
        id: 'GHSA-79pf-vx4x-7jmm',
        also: ['CVE-2026-29188'],
        did: 'Cancelling an upload deleted finished files.',
        why: 'Cancelling affects unfinished uploads of the caller only, never files (I4, I6).',
      },
    ],
  },
  {
    title: 'File Browser: sharing',
    attacks: [
      {
        id: 'GHSA-r6pg-pg54-rcr5',
        did: 'A link survived when another user deleted its folder, and served the next folder of that name.',
        why: 'A link refers to a file by its identity, not by its path (I8).',
      },
      {
        id: 'GHSA-m8v4-4w34-rrvf',
        did: 'A link served the file that replaced the shared one.',
        why: 'As above: the new file has another identity (I8).',
      },
      {
        id: 'GHSA-pp88-jhwj-5qh5',
        also: ['CVE-2026-61874'],
        did: 'Deleting a path with a trailing slash left its link in place.',
        why: 'Parsing leaves one spelling of each path, and the link ends with its file anyway (I1, I8).',
      },
      {
        id: 'GHSA-3q2p-72cj-682c',
        also: ['CVE-2026-54096'],
        did: 'A link was created for a file that did not exist yet.',
        why: 'A link can be created only for an existing, visible file (I8).',
      },
      {
        id: 'GHSA-5ww9-jg6q-38r7',
        also: ['CVE-2026-54097'],
        did: 'Deleting /a also deleted all users’ links whose path begins with the same letters.',
        why: 'Links end by identity, within the scope of the operation (I3, I8).',
      },
      {
        id: 'GHSA-j9jx-hp4c-ghhh',
        also: ['CVE-2026-54091'],
        did: 'The owner’s rules did not apply inside the shared folder.',
        why: 'A visitor’s Access is the owner’s with a lower root; rules stay relative to the owner’s scope (I4).',
      },
      {
        id: 'GHSA-v9w4-gm2x-6rvf',
        also: ['CVE-2026-35604'],
        did: 'Links still worked after their owner had lost the share permission.',
        why: 'Every request through a link checks the owner’s current permissions (I8).',
      },
      {
        id: 'GHSA-68j5-4m99-w9w9',
        also: ['CVE-2026-32761'],
        did: 'A user without the download permission downloaded through their own link.',
        why: 'Visitors never have more permissions than the owner (I5, I8).',
      },
      {
        id: 'GHSA-mr74-928f-rw69',
        also: ['CVE-2026-28492'],
        did: 'The parent of the shared folder was accessible.',
        why: 'A visitor’s Drive has the shared folder as its root (I1, I2).',
      },
      {
        id: 'GHSA-6cqf-cfhv-659g',
        also: ['CVE-2025-64523'],
        did: 'Any user could delete any link.',
        why: 'Other users’ links are not found, except by administrators (I4).',
      },
      {
        id: 'GHSA-833g-cqhp-h72j',
        also: ['CVE-2026-62684'],
        did: 'The list of links contained password hashes and tokens.',
        why: 'Responses are built from a schema without such fields (I15).',
      },
      {
        id: 'GHSA-3v48-283x-f2w4',
        also: ['CVE-2025-52996'],
        did: 'The download URL of a protected link worked for ever without the password.',
        why: 'A password grants a ticket for ten minutes, stored in a cookie; URLs never contain it (I7).',
      },
    ],
  },
  {
    title: 'File Browser: accounts and sessions',
    attacks: [
      {
        id: 'GHSA-7xwp-2cpp-p8r7',
        also: ['CVE-2025-53826'],
        did: 'A stolen token survived sign-out and could be renewed for ever.',
        why: 'A session is a database row that can be ended at once; renewal rotates the token, and renewing an old token again ends the session family (I7).',
      },
      {
        id: 'GHSA-v7vv-5wj2-gfcj',
        did: 'Tokens survived a password change.',
        why: 'A new password increments the account’s epoch, which ends every older session (I7, I8).',
      },
      {
        id: 'GHSA-v3jv-rmh2-635j',
        did: 'With proxy sign-in, expired tokens were accepted.',
        why: 'The session row decides, whatever the sign-in method (I7, I10).',
      },
      {
        id: 'GHSA-rmwh-g367-mj4x',
        also: ['CVE-2025-52901'],
        did: 'Tokens in URLs leaked through logs and browser histories.',
        why: 'The web interface never puts tokens into URLs; where old clients do, they are not logged (I7).',
      },
      {
        id: 'GHSA-43mm-m3h2-3prc',
        also: ['CVE-2026-23849'],
        did: 'Response times revealed which user names exist.',
        why: 'An unknown name costs the same hash with the same parameters (I12).',
      },
      {
        id: 'GHSA-w5fm-68j4-fpc4',
        also: ['CVE-2026-54092'],
        did: 'A sign-in request of two gigabytes was read into memory.',
        why: 'JSON bodies have a size limit, enforced while reading (I12).',
      },
      {
        id: 'GHSA-cm2r-rg7r-p7gg',
        also: ['CVE-2025-52997'],
        did: 'Passwords could be short and guessed without rate limit.',
        why: 'There is a password policy, and attempts are counted before any lookup or hash (I12).',
      },
      {
        id: 'GHSA-hxw8-4h9j-hq2r',
        also: ['CVE-2026-25889'],
        did: 'Another spelling of a field name bypassed the password check.',
        why: 'Whether a password is required follows from comparing the old and the new record, not from the fields that the client names (I17).',
      },
      {
        id: 'GHSA-5gg9-5g7w-hm73',
        also: ['CVE-2026-32760'],
        did: 'Users who signed up became administrators if the defaults said so.',
        why: 'New accounts get only allowlisted permissions; administration and commands are not on the list (I9).',
      },
      {
        id: 'GHSA-x8jc-jvqm-pm3f',
        also: ['CVE-2026-34528'],
        did: 'Users who signed up got the commands in the defaults.',
        why: 'As above (I9).',
      },
      {
        id: 'GHSA-7526-j432-6ppp',
        also: ['CVE-2026-35607'],
        did: 'Accounts created by a proxy or a program inherited permissions from the defaults.',
        why: 'All automatically created accounts use the same code (I9).',
      },
      {
        id: 'GHSA-6759-996p-gpj6',
        also: ['CVE-2026-72839'],
        did: 'With sign-up enabled, every new user had access to the whole root.',
        why: 'A self-registered account always gets its own, empty home folder (I9).',
      },
      {
        id: 'GHSA-j7jh-37pf-mf8h',
        also: ['CVE-2026-72837', 'GHSA-j2fc-28fx-hc8q'],
        did: 'Accounts created by a proxy got the root as their scope, and two created at once shared a home folder.',
        why: 'The home folder is chosen before the account is written, in one transaction (I9).',
      },
      {
        id: 'GHSA-7rc3-g7h6-22m7',
        also: ['CVE-2026-62685'],
        did: 'A name that was sanitised to another user’s folder got that user’s home.',
        why: 'A home folder that belongs to another user is refused like a taken name (I9).',
      },
      {
        id: 'GHSA-576v-w77m-gr84',
        also: ['CVE-2026-72836'],
        did: 'A name that differs only in case got the other user’s home.',
        why: 'The database enforces that names are unique regardless of case (I9).',
      },
      {
        id: 'GHSA-xqp3-jq6g-x3qm',
        also: ['CVE-2026-54089'],
        did: 'Anyone who could reach the port could sign in as anyone with a header.',
        why: 'The header is accepted from the configured proxies only; without any, the server does not start (I10).',
      },
      {
        id: 'GHSA-72wf-hwcq-65h9',
        also: ['CVE-2021-46398'],
        did: 'Another site’s page created accounts with the user’s cookie (CSRF).',
        why: 'Cookies are accepted for GET and HEAD only; changes need a header that other sites’ pages cannot send (I16).',
      },
    ],
  },
  {
    title: 'File Browser: commands and hooks',
    attacks: [
      {
        id: 'GHSA-m93h-4hw7-5qcm',
        also: ['CVE-2026-54088'],
        did: 'The name typed at sign-in was executed by a shell.',
        why: 'The sign-in program reads name and password from standard input; no shell is involved (I13).',
      },
      {
        id: 'GHSA-jvpw-637p-h3pw',
        also: ['CVE-2026-35585'],
        did: 'The name of an uploaded file was executed by the shell of a hook.',
        why: 'A file name is a single argument or an environment variable, never program text (I13).',
      },
      {
        id: 'GHSA-8c9q-7855-wfxq',
        also: ['CVE-2026-54090'],
        did: 'An allowed command was followed by a semicolon and another command.',
        why: 'Unless the operator sets a shell, a command line is split into words; shell operators have no meaning (I13).',
      },
      {
        id: 'GHSA-w7qc-6grj-w7r8',
        also: ['CVE-2025-52995'],
        did: 'The list of allowed commands was matched as a pattern.',
        why: 'A program is matched by its whole name (I13).',
      },
      {
        id: 'GHSA-3q2w-42mv-cph4',
        also: ['CVE-2025-52903'],
        did: 'An allowed program such as find started any other program.',
        why: 'All programs run in a sandbox with one user’s files and nothing else (I13).',
      },
      {
        id: 'GHSA-hc8f-m8g5-8362',
        also: ['CVE-2025-52904'],
        did: 'A command read other users’ files and the database.',
        why: 'As above: they are not in the sandbox (I13).',
      },
      {
        id: 'GHSA-39cx-23x9-5c8p',
        did: 'Anyone could send gigabytes to the command socket, even with commands disabled.',
        why: 'Permissions are checked before the upgrade; a frame is limited to 64 KiB (I13, I16).',
      },
    ],
  },
  {
    title: 'File Browser: content, previews, deployment',
    attacks: [
      {
        id: 'GHSA-448h-jr2h-3vhp',
        also: ['CVE-2026-90928'],
        did: 'A subtitle file of five gigabytes was read into memory.',
        why: 'Subtitles have a size limit, and conversion takes linear time (I12).',
      },
      {
        id: 'GHSA-7xqm-7738-642x',
        also: ['CVE-2025-53893'],
        did: 'A huge text file was read into memory for display.',
        why: 'Listings include text up to a limit only; larger files are offered as a download (I12).',
      },
      {
        id: 'GHSA-4wx8-5gm2-2j97',
        also: ['CVE-2025-52902'],
        did: 'Markdown ran scripts and stole the token.',
        why: 'Markdown is converted to an allowlist of elements; the page runs no foreign scripts (I11).',
      },
      {
        id: 'GHSA-5vpr-4fgw-f69h',
        also: ['CVE-2026-34529'],
        did: 'An e-book ran scripts in the reader.',
        why: 'Chapters are rendered in a frame without scripts (I11).',
      },
      {
        id: 'CVE-2021-37794',
        did: 'An SVG opened by its URL ran scripts with the viewer’s session.',
        why: 'Files are served with a sandbox policy without an origin, in which nothing runs (I11).',
      },
      {
        id: 'CVE-2023-39612',
        did: 'An HTML file ran scripts with the viewer’s session.',
        why: 'As above (I11).',
      },
      {
        id: 'GHSA-xfqj-3vmx-63wv',
        also: ['CVE-2026-34530'],
        did: 'The site name was inserted as markup into every page.',
        why: 'It is written as JSON that cannot end the element, and as escaped text (I11).',
      },
      {
        id: 'GHSA-6jqf-mv7m-3q7p',
        also: ['CVE-2025-22871'],
        did: 'Request smuggling behind a proxy.',
        why: 'Requests with two lengths, invalid chunks or bare line feeds are refused, and the connection is closed (I12).',
      },
      {
        id: 'GHSA-jj2r-455p-5gvf',
        also: ['CVE-2025-52900'],
        did: 'Every account of the machine could read the database and the files.',
        why: 'Database, staging and secrets are readable by their owner only, whatever the umask (I6).',
      },
    ],
  },
]
