import type { Group } from './attack.ts'

/** Vulnerabilities found in similar products. */
export const PEERS: readonly Group[] = [
  {
    title: 'FileBrowser Quantum',
    attacks: [
      {
        id: 'GHSA-fwj3-42wh-8673',
        also: ['CVE-2026-44542'],
        did: 'A visitor of a public link deleted any file.',
        why: 'Public calls change files only if the link allows it, inside the shared folder (I1, I8).',
      },
      {
        id: 'GHSA-qqqm-5547-774x',
        also: ['CVE-2026-48777'],
        did: 'The same with moving and copying.',
        why: 'The list of public calls is derived from the contract, and generated tests try each of them (I4).',
      },
      {
        id: 'GHSA-vvp7-h4fj-m28w',
        also: ['CVE-2026-54910'],
        did: 'The subtitle URL read any file.',
        why: 'Subtitles are opened through the Drive like every other file (I1, I4).',
      },
      {
        id: 'GHSA-4wmj-rq3c-m65v',
        did: 'Revoked API tokens were still accepted on the calls of public links.',
        why: 'A wrong, ended or revoked token is refused before any call is looked at, whatever it needs (I7, I8).',
      },
      {
        id: 'GHSA-8vrh-3pm2-v4v6',
        also: ['CVE-2026-27611'],
        did: 'A protected link revealed the download URL to visitors without the password.',
        why: 'A locked link answers 401 to every call and reveals nothing else (I7, I15).',
      },
      {
        id: 'GHSA-525j-95gf-766f',
        also: ['CVE-2026-30933'],
        did: 'The fix for the previous vulnerability missed another call.',
        why: 'As above, tested for every public call of the contract (I7, I15).',
      },
      {
        id: 'GHSA-3jmg-p96m-m328',
        also: ['CVE-2026-46410'],
        did: 'Anonymous visitors read the names of other links and their sources.',
        why: 'A test lists by hand which calls are public; nothing else is (I4, I15).',
      },
      {
        id: 'GHSA-r633-fcgp-m532',
        also: ['CVE-2026-30934'],
        did: 'The title of a link was inserted as markup into the public page.',
        why: 'The served page contains nothing of the link; the browser inserts titles as text nodes (I11).',
      },
      {
        id: 'GHSA-mmpx-jh39-wrv6',
        did: 'An SVG behind a public link ran scripts.',
        why: 'Files behind links have the same sandbox policy as everywhere (I11).',
      },
      {
        id: 'GHSA-7789-65hx-f26w',
        did: 'The response time of a sign-in revealed which user names exist.',
        why: 'An unknown name costs the same work and gets the same answer (I12).',
      },
      {
        id: 'GHSA-r4v7-6wcg-ghj5',
        did: 'Short passwords could be guessed without limit.',
        why: 'Attempts are counted per address, per account and in total (I12).',
      },
    ],
  },
  {
    title: 'HFS',
    attacks: [
      {
        id: 'CVE-2026-61500',
        did: 'Session keys came from a predictable random source.',
        why: 'All random values come from the system’s random source; the code uses no other (I7).',
      },
      {
        id: 'CVE-2026-61501',
        did: 'A failed sign-in inserted markup into the administrator’s event page.',
        why: 'Unknown user names are not recorded; everything else is displayed as text (I11).',
      },
      {
        id: 'CVE-2026-61502',
        did: 'GET requests could change data.',
        why: 'No GET of the contract changes a file, an account, a setting or a link (I16).',
      },
      {
        id: 'CVE-2026-61503',
        did: 'Guesses with unknown user names were not counted.',
        why: 'Attempts are counted before the account is looked up (I12).',
      },
      {
        id: 'CVE-2026-61504',
        did: 'File names were inserted as markup into the plain listing for old clients.',
        why: 'The server writes no listing as HTML; errors are plain text (I11).',
      },
      {
        id: 'CVE-2026-61505',
        did: 'The language parameter read arbitrary files.',
        why: 'Languages come from a fixed list; catalogues are part of the build (I1).',
      },
      {
        id: 'GHSA-xcxh-6cv4-q8p8',
        did: 'Pages opened in a new window could navigate the old one.',
        why: 'Every such link sets noopener, and so does the page’s opener policy (I11).',
      },
    ],
  },
  {
    title: 'copyparty',
    attacks: [
      {
        id: 'GHSA-pxfv-7rr3-2qjg',
        also: ['CVE-2023-37474'],
        did: 'The URL of built-in files read any file of the machine.',
        why: 'Built-in files are served from a list created at start (I2).',
      },
      {
        id: 'GHSA-f54q-j679-p9hh',
        also: ['CVE-2023-38501'],
        did: 'A parameter was reflected as markup (XSS).',
        why: 'Responses are JSON, plain text or the one page, which is the same for every URL (I11).',
      },
      {
        id: 'GHSA-cw7j-v52w-fp5r',
        did: 'A parameter was reflected as markup and as a header.',
        why: 'As above; no value with a line break reaches a header (I11).',
      },
      {
        id: 'CVE-2025-54589',
        did: 'A filter was reflected as markup.',
        why: 'As above (I11).',
      },
      {
        id: 'CVE-2026-27948',
        did: 'A parameter that sets a cookie was reflected as markup.',
        why: 'No parameter sets a cookie (I11).',
      },
      {
        id: 'CVE-2025-54423',
        did: 'Tags of a song were inserted as markup, and a URL fragment loaded a remote playlist.',
        why: 'Metadata of files is displayed as text nodes only; nothing is loaded because a URL names it (I11).',
      },
      {
        id: 'GHSA-pxvw-4w88-6x95',
        also: ['CVE-2025-58753'],
        did: 'A link to one file also served other files of its folder by name.',
        why: 'A link to a file gives access to that file only, whatever path follows (I8).',
      },
      {
        id: 'CVE-2023-41471',
        did: 'Users who upload can run scripts, because HTML files are served.',
        why: 'Uploaded pages cannot run scripts (I11).',
      },
    ],
  },
  {
    title: 'SFTPGo',
    attacks: [
      {
        id: 'GHSA-x8qh-7475-c5mp',
        also: ['CVE-2026-30914'],
        did: 'Two protocols parsed the same path differently.',
        why: 'All calls parse paths with the same function; generated tests compare them (I1).',
      },
      {
        id: 'GHSA-m83q-5wr4-4gfp',
        also: ['CVE-2026-30915'],
        did: 'A user name with dots placed the home folder outside its base.',
        why: 'A home folder is one sanitised segment below the base (I1, I9).',
      },
      {
        id: 'GHSA-h64p-8h4r-6gfh',
        also: ['CVE-2026-49244'],
        did: 'A partial archive included a sibling folder whose name has the same prefix.',
        why: 'Containment is checked by whole segments (I3).',
      },
      {
        id: 'GHSA-3vcg-pv95-pq54',
        also: ['CVE-2026-49245', 'CVE-2022-39220'],
        did: 'Files displayed inline ran scripts.',
        why: 'Files are served with a sandbox policy without an origin, both inline and as a download (I11).',
      },
      {
        id: 'GHSA-6943-qr24-82vx',
        also: ['CVE-2024-52801'],
        did: 'The OpenID state came from a weak random source.',
        why: 'State, nonce, verifier and cookie of a sign-in have 256 bits from the system’s random source (I7).',
      },
      {
        id: 'GHSA-hw5f-6wvv-xcrh',
        also: ['CVE-2024-37897'],
        did: 'A password was reset without the second factor.',
        why: 'A password is changed over the network only after a proof by password and second factor, or by a link that was mailed or handed over; such a link signs nobody in and leaves the second factor.',
      },
      {
        id: 'GHSA-54qx-8p8w-xhg8',
        also: ['CVE-2022-36071'],
        did: 'Recovery codes could be made before the second factor was set up, by somebody who knew the password, and used after.',
        why: 'Recovery codes are made with the first second factor, which ends every other session; with the last one they go.',
      },
      {
        id: 'GHSA-49cc-xrjf-9qf7',
        also: ['CVE-2024-52309'],
        did: 'Administrators ran any command on the machine.',
        why: 'Commands edited over HTTP run in the sandbox, with the acting user’s files only (I13).',
      },
      {
        id: 'GHSA-vj7w-3m8c-6vpx',
        also: ['CVE-2025-24366'],
        did: 'A user’s argument became an option of a program.',
        why: 'Satchel’s own programs receive descriptors instead of names; commands run in the sandbox whatever their options (I13).',
      },
    ],
  },
  {
    title: 'Nextcloud',
    attacks: [
      {
        id: 'CVE-2026-45543',
        did: 'Somebody who was removed from a form kept reading the files uploaded to it.',
        why: 'Groups and roles are looked up at every step; nothing is copied into a share of its own (I8).',
      },
      {
        id: 'CVE-2016-9464',
        did: 'A member of a group took a shared folder away from the whole group.',
        why: 'Only administrators change groups, members and roles, one at a time, with a proof of identity (I4, I17).',
      },
      {
        id: 'NC-SA-2017-001',
        did: 'Sharing again through the API added rights that one did not have.',
        why: 'A link has at most the rights of its owner, and one made with an API token at most those of the token (I4, I8).',
      },
      {
        id: 'CVE-2026-45156',
        did: 'The OpenID app did not verify signatures of ID tokens of ID4me.',
        why: 'Every ID token must be signed by a key of its provider.',
      },
      {
        id: 'CVE-2026-45284',
        did: 'People who had been removed could still sign in through OpenID.',
        why: 'Connections are removed with the account, and nothing but a connection leads to an account (I9).',
      },
      {
        id: 'GHSA-wppc-f5g8-vx36',
        also: ['CVE-2024-22403'],
        did: 'Authorization codes did not expire.',
        why: 'Satchel issues none; a sign-in that was begun at a provider can be finished for ten minutes.',
      },
      {
        id: 'CVE-2021-32654',
        did: 'Any public link could be written to through another call.',
        why: 'The permissions of a link are part of its Access, whichever call is used (I4).',
      },
      {
        id: 'CVE-2021-32655',
        did: 'Removing one permission granted another.',
        why: 'The permission of a link is a single value, changed as a whole (I4).',
      },
      {
        id: 'GHSA-26c8-35cm-xq9m',
        also: ['CVE-2021-37628'],
        did: 'An upload-only share could be read through another app.',
        why: 'A file request answers every reading call as if the folder were empty (I4, I5).',
      },
      {
        id: 'CVE-2021-32679',
        did: 'A file name was injected into the header of its download.',
        why: 'Names are encoded according to RFC 6266; anything but plain letters is percent-encoded (I11).',
      },
      {
        id: 'CVE-2021-32734',
        also: ['GHSA-6hf5'],
        did: 'Error messages revealed paths of the server.',
        why: 'An error is a code and what the client sent; details go to the log with a reference number (I15).',
      },
      {
        id: 'GHSA-273v-9h7x-p68v',
        did: 'A path was checked before it was normalised.',
        why: 'Paths are never normalised: a path that is not canonical is refused (I1).',
      },
      {
        id: 'GHSA-m682-v4g9-wrq7',
        did: 'The thumbnail generator could be made to read files and run code.',
        why: 'Previews are generated by sandboxed processes, each with one open file (I12, I13).',
      },
      {
        id: 'GHSA-2967-6mrp-gg3p',
        did: 'Guesses from different addresses of one IPv6 network were counted separately.',
        why: 'A /64 network counts as one address (I12).',
      },
      {
        id: 'GHSA-gv5w-8q25-785v',
        did: 'The second factor could be bypassed.',
        why: 'Every way of signing in ends in one function, which opens a session only with the second factor (I10).',
      },
      {
        id: 'CVE-2026-45690',
        did: 'The token of a half-done sign-in was accepted by Basic authentication, without the second factor.',
        why: 'What the first step returns is a ticket in a table of its own: nothing but the second step reads it.',
      },
      {
        id: 'CVE-2026-45691',
        did: 'The cookie of a half-done sign-in was accepted as a Bearer token, without the second factor.',
        why: 'As above: no session exists before the second factor.',
      },
      {
        id: 'CVE-2021-41177',
        did: 'Without a memory cache, second factors could be guessed without limit.',
        why: 'Codes are counted per address, per account and in total, apart from passwords, and five for each ticket in the database (I12).',
      },
    ],
  },
  {
    title: 'FileRise',
    attacks: [
      {
        id: 'CVE-2026-61843',
        did: 'Uploads through a link replaced files.',
        why: 'On a visitor’s Drive an upload never replaces a file: it gets a numbered name (I6).',
      },
      {
        id: 'CVE-2026-57490',
        did: 'WebDAV did not require the second factor.',
        why: 'Accounts with a second factor use API tokens there; their password is refused.',
      },
      {
        id: 'CVE-2026-54459',
        did: 'Another site’s page created links (CSRF).',
        why: 'Creating a link, like every change, needs the token in a header; the cookie alone is refused (I16).',
      },
      {
        id: 'CVE-2026-62664',
        did: 'Creating a folder worked outside the root.',
        why: 'Paths are parsed strictly, and the disk is walked by descriptors (I1, I2).',
      },
      {
        id: 'CVE-2026-55498',
        did: 'A symbolic link led out of the shared folder.',
        why: 'Symbolic links are resolved inside the shared folder only (I2).',
      },
      {
        id: 'CVE-2026-57491',
        did: 'Extracting bypassed the rules for uploads.',
        why: 'Every entry is created through the Drive, with its permissions, rules and hooks (I14).',
      },
      {
        id: 'CVE-2026-64856',
        did: 'Anonymous visitors read excerpts of files.',
        why: 'No call that reveals files is public, except through a link (I5).',
      },
      {
        id: 'CVE-2026-69194',
        did: 'The site’s footer was inserted as markup.',
        why: 'Operator texts are displayed as text; a custom stylesheet is a file on the server (I11).',
      },
      {
        id: 'CVE-2026-25231',
        did: 'The upload folder was served directly.',
        why: 'No URL maps to the disk: every byte is read through a Drive (I4).',
      },
    ],
  },
  {
    title: 'goshs and Filestash',
    attacks: [
      {
        id: 'CVE-2026-35392',
        did: 'PUT wrote outside the root.',
        why: 'Paths are parsed by the same code, whatever the method (I1).',
      },
      {
        id: 'CVE-2026-35393',
        did: 'POST wrote outside the root.',
        why: 'As above (I1).',
      },
      {
        id: 'CVE-2026-54719',
        did: 'An archive of several files bypassed their rules.',
        why: 'Every file of an archive is opened through the Drive (I4, I5).',
      },
      {
        id: 'CVE-2026-62325',
        did: 'An empty password was accepted.',
        why: 'An empty secret never matches, with any sign-in method (I7).',
      },
      {
        id: 'CVE-2024-41255',
        also: ['CVE-2024-41256'],
        did: 'Outgoing connections did not verify certificates.',
        why: 'All outgoing TLS connections verify certificates; no option turns this off.',
      },
    ],
  },
]
