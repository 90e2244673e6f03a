import type { Group } from './attack.ts'

/** The predecessor's advisories (GitHub: filebrowser/filebrowser). */
export const FILE_BROWSER: readonly Group[] = [
  {
    title: 'File Browser: paths and rules',
    attacks: [
      {
        id: 'GHSA-7w29-q235-57m9',
        did: 'A link inside the scope led to a folder that a rule denies.',
        why: 'Rules judge the link and what it leads to; either may deny (I3).',
      },
      {
        id: 'GHSA-8q5j-8wcr-8v2v',
        did: 'A pipe in a folder held its archive up for ever.',
        why: 'Every file is opened without waiting and looked at before it is read; what is no regular file is passed over (I2).',
      },
      {
        id: 'GHSA-77x8-73f4-5485',
        did: 'Copying, moving or deleting a folder took the denied child along.',
        why: 'The Drive asks for every node a deed touches before the first is changed (I4).',
      },
      {
        id: 'GHSA-fgm5-pw99-w2p7',
        did: 'Another case of the name got past the rule on a disk that is blind to case.',
        why: 'Rules see the name that the disk has, in one Unicode form (I3).',
      },
      {
        id: 'GHSA-4mh3-h929-w968',
        also: ['CVE-2026-25890'],
        did: 'A doubled slash made the rule miss its path.',
        why: 'A path is decoded once into its segments; an empty segment is refused, never cleaned away (I1).',
      },
      {
        id: 'GHSA-9f3r-2vgw-m8xp',
        also: ['CVE-2026-32758'],
        did: 'Dots in the destination of a copy were checked before they were cleaned.',
        why: 'A destination passes the same gate as every path (I1).',
      },
      {
        id: 'GHSA-5q48-q4fm-g3m6',
        also: ['CVE-2026-35605'],
        did: 'A rule for /team reached /team-secret.',
        why: 'Rules compare whole segments (I3).',
      },
      {
        id: 'GHSA-239w-m3h6-ch8v',
        also: ['CVE-2026-54094'],
        did: 'A link to outside of the scope was followed, by its own name or on the way.',
        why: 'The kernel opens one segment after the other and follows nothing; links are resolved by us, inside the scope only (I2).',
      },
      {
        id: 'GHSA-8wc8-hf36-mjh9',
        also: ['CVE-2026-55668'],
        did: 'An upload onto a dangling link made the file it pointed to.',
        why: 'Bytes are staged and get their name by one rename or link, which follow nothing (I2, I6).',
      },
      {
        id: 'GHSA-gxjx-7m74-hcq8',
        also: ['CVE-2026-54093'],
        did: 'A name with backslashes left the folder when its archive was unpacked on Windows.',
        why: 'Entry names are made of cleaned segments, safe on every system (I14).',
      },
      {
        id: 'GHSA-83xp-526h-j3ww',
        also: ['CVE-2026-62843'],
        did: 'The mending of the attack above turned backslashes into slashes, and led out on Linux.',
        why: 'Separators inside a name are replaced by a letter that separates nowhere (I14).',
      },
      {
        id: 'GHSA-67cg-cpj7-qgc9',
        also: ['CVE-2026-35606'],
        did: 'Text came with the listing for people without the download right.',
        why: 'Everything that tells of bytes goes through one right (I5).',
      },
      {
        id: 'GHSA-7whw-q6gh-xr59',
        did: 'Checksums told of bytes to people without the download right.',
        why: 'A checksum is reading (I5).',
      },
    ],
  },
  {
    title: 'File Browser: uploads and writing',
    attacks: [
      {
        id: 'GHSA-c4fr-5f24-4wrj',
        also: ['CVE-2026-90929'],
        did: 'A failed upload onto a folder removed the folder with everything in it.',
        why: 'Tidying up touches staging only, never a name of the tree; a file never takes the place of a folder (I6).',
      },
      {
        id: 'GHSA-fmm7-x4gx-8jhr',
        also: ['CVE-2026-55667'],
        did: 'The tidying after a refused upload deleted through a link to outside.',
        why: 'As above; and no walk enters a link (I2, I6).',
      },
      {
        id: 'GHSA-m9f5-2232-frp6',
        did: 'A forgotten upload was tidied away by its path, where by then a link led outside.',
        why: 'What is tidied away is staging, named by the id of the upload (I6).',
      },
      {
        id: 'GHSA-ffv3-7h97-993q',
        did: 'An upload of one announced byte took in a terabyte.',
        why: 'The announced length is a limit, with and without Content-Length (I12).',
      },
      {
        id: 'GHSA-4r8p-gqj2-mwgm',
        did: 'Parallel pieces at the same offset were all written.',
        why: 'One writer has the lease of an upload; the others are told so (I6).',
      },
      {
        id: 'GHSA-ffx7-75gc-jg7c',
        also: ['CVE-2026-32759'],
        did: 'A negative length counted as a finished upload.',
        why: 'A length is digits within the safe range, or 400 before anything begins (I1, I12).',
      },
      {
        id: 'GHSA-79pf-vx4x-7jmm',
        also: ['CVE-2026-29188'],
        did: 'Cancelling an upload deleted finished files.',
        why: 'Cancelling knows uploads of the caller, not files (I4, I6).',
      },
    ],
  },
  {
    title: 'File Browser: sharing',
    attacks: [
      {
        id: 'GHSA-r6pg-pg54-rcr5',
        did: 'A link survived the deletion of its folder by somebody else, and served the next folder of that name.',
        why: 'A link names an object by its identity, not a path (I8).',
      },
      {
        id: 'GHSA-m8v4-4w34-rrvf',
        did: 'A link served what took the place of the shared file.',
        why: 'As above: the newcomer has another identity (I8).',
      },
      {
        id: 'GHSA-pp88-jhwj-5qh5',
        also: ['CVE-2026-61874'],
        did: 'Deleting with a slash at the end left the link.',
        why: 'There is one spelling of a path after the gate, and the link dies with its object anyway (I1, I8).',
      },
      {
        id: 'GHSA-3q2p-72cj-682c',
        also: ['CVE-2026-54096'],
        did: 'A link was made for a file that was still to come.',
        why: 'A link is made of a node that is there and may be seen (I8).',
      },
      {
        id: 'GHSA-5ww9-jg6q-38r7',
        also: ['CVE-2026-54097'],
        did: 'Deleting /a took away everybody’s links whose path begins with those letters.',
        why: 'Links end by identity, within the scope of the deed (I3, I8).',
      },
      {
        id: 'GHSA-j9jx-hp4c-ghhh',
        also: ['CVE-2026-54091'],
        did: 'Rules of the owner did not hold inside the shared folder.',
        why: 'A visitor’s Access is the owner’s, begun further down; the rules stay relative to the owner (I4).',
      },
      {
        id: 'GHSA-v9w4-gm2x-6rvf',
        also: ['CVE-2026-35604'],
        did: 'Links went on after their owner had lost the right to share.',
        why: 'Every request through a link asks for the owner’s rights as of now (I8).',
      },
      {
        id: 'GHSA-68j5-4m99-w9w9',
        also: ['CVE-2026-32761'],
        did: 'Somebody without the download right downloaded through a link of their own.',
        why: 'A visitor may never more than the owner (I5, I8).',
      },
      {
        id: 'GHSA-mr74-928f-rw69',
        also: ['CVE-2026-28492'],
        did: 'The parent of the shared folder could be reached.',
        why: 'The Drive of a visitor begins at the shared node; nothing is above it (I1, I2).',
      },
      {
        id: 'GHSA-6cqf-cfhv-659g',
        also: ['CVE-2025-64523'],
        did: 'Anybody could delete anybody’s link.',
        why: 'Links of others are not found, except by administrators (I4).',
      },
      {
        id: 'GHSA-833g-cqhp-h72j',
        also: ['CVE-2026-62684'],
        did: 'The list of links held password hashes and tokens.',
        why: 'Answers are built from a schema that has no such field (I15).',
      },
      {
        id: 'GHSA-3v48-283x-f2w4',
        also: ['CVE-2025-52996'],
        did: 'The address of a download opened a protected link for ever.',
        why: 'A password opens a ticket of ten minutes, kept in a cookie; no address of ours holds it (I7).',
      },
    ],
  },
  {
    title: 'File Browser: accounts and sessions',
    attacks: [
      {
        id: 'GHSA-7xwp-2cpp-p8r7',
        also: ['CVE-2025-53826'],
        did: 'A stolen token outlived the sign-out and could be renewed for ever.',
        why: 'A session is a row that ends at once; renewing rotates, and renewing twice ends the family (I7).',
      },
      {
        id: 'GHSA-v7vv-5wj2-gfcj',
        did: 'Tokens outlived a change of password.',
        why: 'A new password raises the account’s epoch; every session of the old one is over (I7, I8).',
      },
      {
        id: 'GHSA-v3jv-rmh2-635j',
        did: 'With sign-in by a proxy, tokens that had ended were taken.',
        why: 'A session ends by its row, whatever the way in (I7, I10).',
      },
      {
        id: 'GHSA-rmwh-g367-mj4x',
        also: ['CVE-2025-52901'],
        did: 'Tokens in addresses were read out of logs and histories.',
        why: 'Our web puts none into an address; where old clients do, it is never logged (I7).',
      },
      {
        id: 'GHSA-43mm-m3h2-3prc',
        also: ['CVE-2026-23849'],
        did: 'The time of an answer told which names exist.',
        why: 'A name that nobody has costs the same hash, with the same parameters (I12).',
      },
      {
        id: 'GHSA-w5fm-68j4-fpc4',
        also: ['CVE-2026-54092'],
        did: 'A sign-in of two gigabytes was read into memory.',
        why: 'Bodies of JSON have a limit, kept while they are read (I12).',
      },
      {
        id: 'GHSA-cm2r-rg7r-p7gg',
        also: ['CVE-2025-52997'],
        did: 'Passwords could be short, and guessed at any speed.',
        why: 'Passwords have a policy; guesses are counted before anything is looked up or hashed (I12).',
      },
      {
        id: 'GHSA-hxw8-4h9j-hq2r',
        also: ['CVE-2026-25889'],
        did: 'Another spelling of a field name avoided the proof of the password.',
        why: 'The proof follows from the difference between the old and the new record, not from what the client names (I17).',
      },
      {
        id: 'GHSA-5gg9-5g7w-hm73',
        also: ['CVE-2026-32760'],
        did: 'Whoever signed up got the administration that stood in the defaults.',
        why: 'New accounts get what a list allows; administration and commands are not on it (I9).',
      },
      {
        id: 'GHSA-x8jc-jvqm-pm3f',
        also: ['CVE-2026-34528'],
        did: 'Whoever signed up got the commands that stood in the defaults.',
        why: 'As above (I9).',
      },
      {
        id: 'GHSA-7526-j432-6ppp',
        also: ['CVE-2026-35607'],
        did: 'Accounts made by a proxy or a program inherited rights from the defaults.',
        why: 'All accounts that come into being by themselves pass the same place (I9).',
      },
      {
        id: 'GHSA-6759-996p-gpj6',
        also: ['CVE-2026-72839'],
        did: 'With sign-up on, every stranger had the whole root.',
        why: 'A self-registered account always gets a home of its own, empty before (I9).',
      },
      {
        id: 'GHSA-j7jh-37pf-mf8h',
        also: ['CVE-2026-72837', 'GHSA-j2fc-28fx-hc8q'],
        did: 'Accounts made by a proxy got the root, and two made at once shared a home.',
        why: 'The home is decided before the account is written, in one transaction (I9).',
      },
      {
        id: 'GHSA-7rc3-g7h6-22m7',
        also: ['CVE-2026-62685'],
        did: 'A name that cleans to another’s home got that home.',
        why: 'A home that is somebody else’s is refused as a taken name (I9).',
      },
      {
        id: 'GHSA-576v-w77m-gr84',
        also: ['CVE-2026-72836'],
        did: 'A name that differs by case got the other’s home.',
        why: 'Names are one when their folded forms are; the database says so (I9).',
      },
      {
        id: 'GHSA-xqp3-jq6g-x3qm',
        also: ['CVE-2026-54089'],
        did: 'Anybody who reached the port could say who they are by a header.',
        why: 'The header counts from the configured proxies only; without any the program does not start (I10).',
      },
      {
        id: 'GHSA-72wf-hwcq-65h9',
        also: ['CVE-2021-46398'],
        did: 'A page of another site made accounts with the visitor’s cookie.',
        why: 'A cookie serves GET and HEAD; changes need a header that pages of others cannot send (I16).',
      },
    ],
  },
  {
    title: 'File Browser: commands and hooks',
    attacks: [
      {
        id: 'GHSA-m93h-4hw7-5qcm',
        also: ['CVE-2026-54088'],
        did: 'The name typed at sign-in ran in a shell.',
        why: 'The program gets name and password on its input; no shell is started for it (I13).',
      },
      {
        id: 'GHSA-jvpw-637p-h3pw',
        also: ['CVE-2026-35585'],
        did: 'The name of an uploaded file ran in the shell of a hook.',
        why: 'A name is one argument, or a variable of the environment, never text of a program (I13).',
      },
      {
        id: 'GHSA-8c9q-7855-wfxq',
        also: ['CVE-2026-54090'],
        did: 'After an allowed command came a semicolon and another.',
        why: 'Without a shell that the operator sets, a line is words; operators are letters (I13).',
      },
      {
        id: 'GHSA-w7qc-6grj-w7r8',
        also: ['CVE-2025-52995'],
        did: 'The list of commands was matched as a pattern.',
        why: 'A program runs by its whole name only (I13).',
      },
      {
        id: 'GHSA-3q2w-42mv-cph4',
        also: ['CVE-2025-52903'],
        did: 'An allowed program such as find ran any other.',
        why: 'Whatever runs, runs in a sandbox with one person’s files and nothing else (I13).',
      },
      {
        id: 'GHSA-hc8f-m8g5-8362',
        also: ['CVE-2025-52904'],
        did: 'A command read other people’s files and the database.',
        why: 'As above: they are not there (I13).',
      },
      {
        id: 'GHSA-39cx-23x9-5c8p',
        did: 'Anybody could send gigabytes into the command socket, also where commands are off.',
        why: 'Rights are asked for before the upgrade; a frame has 64 KiB at most (I13, I16).',
      },
    ],
  },
  {
    title: 'File Browser: content, previews, deployment',
    attacks: [
      {
        id: 'GHSA-448h-jr2h-3vhp',
        also: ['CVE-2026-90928'],
        did: 'A subtitle of five gigabytes was read into memory.',
        why: 'A subtitle has a limit, and its conversion takes no longer than its length (I12).',
      },
      {
        id: 'GHSA-7xqm-7738-642x',
        also: ['CVE-2025-53893'],
        did: 'A huge text was read into memory to be shown.',
        why: 'Texts come with the listing up to a limit only; larger ones are offered as a download (I12).',
      },
      {
        id: 'GHSA-4wx8-5gm2-2j97',
        also: ['CVE-2025-52902'],
        did: 'Markdown ran scripts and took the token.',
        why: 'Markdown becomes nodes of a short list of elements; the page runs no foreign script (I11).',
      },
      {
        id: 'GHSA-5vpr-4fgw-f69h',
        also: ['CVE-2026-34529'],
        did: 'A book ran scripts in the reader.',
        why: 'Chapters become nodes in a frame without scripts (I11).',
      },
      {
        id: 'CVE-2021-37794',
        did: 'An SVG opened by its address ran scripts in the name of who looked.',
        why: 'Files are shown in a sandbox of no origin, where nothing runs (I11).',
      },
      {
        id: 'CVE-2023-39612',
        did: 'An HTML page among the files ran scripts in the name of who looked.',
        why: 'As above (I11).',
      },
      {
        id: 'GHSA-xfqj-3vmx-63wv',
        also: ['CVE-2026-34530'],
        did: 'The name of the instance was markup on every page.',
        why: 'It is written as JSON in which nothing ends the element, and as escaped text (I11).',
      },
      {
        id: 'GHSA-6jqf-mv7m-3q7p',
        also: ['CVE-2025-22871'],
        did: 'Two readings of one request let a second one slip in behind a proxy.',
        why: 'Requests with two lengths, broken chunks or bare line ends are refused, and the connection closed (I12).',
      },
      {
        id: 'GHSA-jj2r-455p-5gvf',
        also: ['CVE-2025-52900'],
        did: 'Any account of the machine could read the database and the files.',
        why: 'Database, staging and secrets are readable by their owner only, whatever the umask (I6).',
      },
    ],
  },
]
