import type { Group } from './attack.ts'

/** What was found in other products of the kind: the same classes behind other doors. */
export const PEERS: readonly Group[] = [
  {
    title: 'FileBrowser Quantum',
    attacks: [
      {
        id: 'GHSA-fwj3-42wh-8673',
        also: ['CVE-2026-44542'],
        did: 'A visitor of a public link deleted any file.',
        why: 'The public calls change something only where the link says so, inside the shared node (I1, I8).',
      },
      {
        id: 'GHSA-qqqm-5547-774x',
        also: ['CVE-2026-48777'],
        did: 'The same by moving and copying.',
        why: 'The list of public calls is made from the contract; each is tried by generated tests (I4).',
      },
      {
        id: 'GHSA-vvp7-h4fj-m28w',
        also: ['CVE-2026-54910'],
        did: 'The address of subtitles read any file.',
        why: 'Subtitles are opened through the Drive like every other file (I1, I4).',
      },
      {
        id: 'GHSA-8vrh-3pm2-v4v6',
        also: ['CVE-2026-27611'],
        did: 'A protected link told visitors without the password where to download.',
        why: 'A locked link answers 401 to every call, and tells nothing more (I7, I15).',
      },
      {
        id: 'GHSA-525j-95gf-766f',
        also: ['CVE-2026-30933'],
        did: 'The mending of the attack above left another door.',
        why: 'As above, tried for every public call of the contract (I7, I15).',
      },
      {
        id: 'GHSA-3jmg-p96m-m328',
        also: ['CVE-2026-46410'],
        did: 'Strangers read what another link and its source are called.',
        why: 'What strangers may call is written down by hand in a test, and nothing else is open (I4, I15).',
      },
      {
        id: 'GHSA-r633-fcgp-m532',
        also: ['CVE-2026-30934'],
        did: 'The title of a link was markup on the public page.',
        why: 'The page that is sent knows nothing of the link; titles become text nodes in the browser (I11).',
      },
      {
        id: 'GHSA-mmpx-jh39-wrv6',
        did: 'An SVG behind a public link ran scripts.',
        why: 'Files have the same sandbox policy behind links as everywhere (I11).',
      },
      {
        id: 'GHSA-7789-65hx-f26w',
        did: 'The time of a sign-in told which names exist.',
        why: 'A name that nobody has costs the same work and gets the same answer (I12).',
      },
      {
        id: 'GHSA-r4v7-6wcg-ghj5',
        did: 'Short passwords could be guessed without limit.',
        why: 'Guesses are counted by address, account and altogether (I12).',
      },
    ],
  },
  {
    title: 'HFS',
    attacks: [
      {
        id: 'CVE-2026-61500',
        did: 'Session keys came from a random source that can be foreseen.',
        why: 'The server uses the system’s random source for everything; the other one does not occur in it (I7).',
      },
      {
        id: 'CVE-2026-61501',
        did: 'A failed sign-in put markup into the administrator’s page of events.',
        why: 'A name that nobody has is not written down; everything else is shown as text (I11).',
      },
      {
        id: 'CVE-2026-61502',
        did: 'Changes could be made by GET.',
        why: 'No GET of the contract changes a file, an account, a setting or a link (I16).',
      },
      {
        id: 'CVE-2026-61503',
        did: 'Guesses at unknown names were not counted.',
        why: 'The limiter counts before anybody is looked up (I12).',
      },
      {
        id: 'CVE-2026-61504',
        did: 'File names were markup in the plain listing for old clients.',
        why: 'The server writes no listing as HTML; failures are plain text (I11).',
      },
      {
        id: 'CVE-2026-61505',
        did: 'The name of a language read files.',
        why: 'A language is one of a list; catalogues are parts of the built web (I1).',
      },
      {
        id: 'GHSA-xcxh-6cv4-q8p8',
        did: 'Pages opened in a new window could steer the old one.',
        why: 'Every such link cuts the tie, and the page’s opener policy does too (I11).',
      },
    ],
  },
  {
    title: 'copyparty',
    attacks: [
      {
        id: 'GHSA-pxfv-7rr3-2qjg',
        also: ['CVE-2023-37474'],
        did: 'The address of built-in files read any file of the machine.',
        why: 'Built files are served from a list made at the start (I2).',
      },
      {
        id: 'GHSA-f54q-j679-p9hh',
        also: ['CVE-2023-38501'],
        did: 'A parameter came back as markup.',
        why: 'Answers are JSON, plain text or the one page, which is the same for every address (I11).',
      },
      {
        id: 'GHSA-cw7j-v52w-fp5r',
        did: 'A parameter came back as markup, and as a header.',
        why: 'As above; nothing with a line end reaches a header (I11).',
      },
      {
        id: 'CVE-2025-54589',
        did: 'A filter came back as markup.',
        why: 'As above (I11).',
      },
      {
        id: 'CVE-2026-27948',
        did: 'A parameter that sets a cookie came back as markup.',
        why: 'No parameter sets a cookie (I11).',
      },
      {
        id: 'CVE-2025-54423',
        did: 'Tags of a song were markup, and the end of an address loaded a playlist from elsewhere.',
        why: 'What a file says of itself becomes text nodes only; nothing is loaded that an address names (I11).',
      },
      {
        id: 'GHSA-pxvw-4w88-6x95',
        also: ['CVE-2025-58753'],
        did: 'A link to one file served its neighbours by name.',
        why: 'A link to a file has nothing beside it: whatever follows is that file’s name (I8).',
      },
      {
        id: 'CVE-2023-41471',
        did: 'Whoever uploads can run scripts, because HTML is served.',
        why: 'Uploaded pages run nothing (I11).',
      },
    ],
  },
  {
    title: 'SFTPGo',
    attacks: [
      {
        id: 'GHSA-x8qh-7475-c5mp',
        also: ['CVE-2026-30914'],
        did: 'Two protocols read one path differently.',
        why: 'Every call reads paths by the same function; generated tests compare all calls at the same places (I1).',
      },
      {
        id: 'GHSA-m83q-5wr4-4gfp',
        also: ['CVE-2026-30915'],
        did: 'A user name with dots led the home out of its base.',
        why: 'A home is one cleaned segment below the base (I1, I9).',
      },
      {
        id: 'GHSA-h64p-8h4r-6gfh',
        also: ['CVE-2026-49244'],
        did: 'A partial archive let in a sibling with the same beginning.',
        why: 'Being inside is a comparison of segments (I3).',
      },
      {
        id: 'GHSA-3vcg-pv95-pq54',
        also: ['CVE-2026-49245', 'CVE-2022-39220'],
        did: 'Files shown inline ran scripts.',
        why: 'Shown or saved, files come with a sandbox policy of no origin (I11).',
      },
      {
        id: 'GHSA-6943-qr24-82vx',
        also: ['CVE-2024-52801'],
        did: 'The state of a sign-in by OpenID came from a weak random source.',
        why: 'There is no sign-in by OpenID here; all secrets have 256 bits of the system’s source (I7).',
      },
      {
        id: 'GHSA-hw5f-6wvv-xcrh',
        also: ['CVE-2024-37897'],
        did: 'A password was reset without the second factor.',
        why: 'There is no reset over the network: an administrator sets a password, or the command line.',
      },
      {
        id: 'GHSA-54qx-8p8w-xhg8',
        also: ['CVE-2022-36071'],
        did: 'Recovery codes could be used again.',
        why: 'There are no recovery codes; nothing but a password signs in by a secret that people type.',
      },
      {
        id: 'GHSA-49cc-xrjf-9qf7',
        also: ['CVE-2024-52309'],
        did: 'Administrators ran any command on the machine.',
        why: 'Text that is edited over HTTP runs in the sandbox, with the acting user’s files only (I13).',
      },
      {
        id: 'GHSA-vj7w-3m8c-6vpx',
        also: ['CVE-2025-24366'],
        did: 'An argument of the user became an option of a program.',
        why: 'Our own programs get descriptors, not names; commands run in the sandbox whatever their options do (I13).',
      },
    ],
  },
  {
    title: 'Nextcloud',
    attacks: [
      {
        id: 'CVE-2021-32654',
        did: 'Any public link could be written to through another door.',
        why: 'What a link allows is part of its Access, whichever call is made (I4).',
      },
      {
        id: 'CVE-2021-32655',
        did: 'Taking one right away gave another.',
        why: 'The rights of a link are one word, changed as a whole (I4).',
      },
      {
        id: 'GHSA-26c8-35cm-xq9m',
        also: ['CVE-2021-37628'],
        did: 'A drop box could be read through another application.',
        why: 'A drop box answers every reading call as if nothing were there (I4, I5).',
      },
      {
        id: 'CVE-2021-32679',
        did: 'The name of a file got into the header of its download.',
        why: 'Names are written as RFC 6266 says; what is no plain letter is percent-encoded (I11).',
      },
      {
        id: 'CVE-2021-32734',
        also: ['GHSA-6hf5'],
        did: 'Failures told paths of the server.',
        why: 'A failure is a code and what the caller said; the rest goes to the log under a number (I15).',
      },
      {
        id: 'GHSA-273v-9h7x-p68v',
        did: 'A path was checked first and put into its normal form afterwards.',
        why: 'There is no normal form to be made: what is not canonical is refused (I1).',
      },
      {
        id: 'GHSA-m682-v4g9-wrq7',
        did: 'The maker of thumbnails could be made to read files and run code.',
        why: 'Pictures are made by processes in the sandbox, each with one open file (I12, I13).',
      },
      {
        id: 'GHSA-2967-6mrp-gg3p',
        did: 'Guesses from the many addresses of one IPv6 network were counted apart.',
        why: 'A whole /64 counts as one address (I12).',
      },
      {
        id: 'GHSA-gv5w-8q25-785v',
        did: 'The second factor could be gone around.',
        why: 'There is no second factor of ours to go around: those who want one sign in by their proxy or program (I10).',
      },
    ],
  },
  {
    title: 'FileRise',
    attacks: [
      {
        id: 'CVE-2026-61843',
        did: 'Uploads through a link replaced files.',
        why: 'On a visitor’s Drive no name is taken: a second file gets a number (I6).',
      },
      {
        id: 'CVE-2026-57490',
        did: 'WebDAV did not ask for the second factor.',
        why: 'There is no WebDAV here, and no Basic sign-in.',
      },
      {
        id: 'CVE-2026-54459',
        did: 'A page of another site made links.',
        why: 'Links, like every change, need the token in a header; the cookie alone is refused (I16).',
      },
      {
        id: 'CVE-2026-62664',
        did: 'Making a folder led out of the root.',
        why: 'The path passes the gate; the disk is walked by descriptors (I1, I2).',
      },
      {
        id: 'CVE-2026-55498',
        did: 'A link of the disk led out of what was shared.',
        why: 'Links are resolved inside the shared node only (I2).',
      },
      {
        id: 'CVE-2026-57491',
        did: 'Extracting went past the rules for uploads.',
        why: 'Every entry becomes a file through the Drive, with its rights, rules and hooks (I14).',
      },
      {
        id: 'CVE-2026-64856',
        did: 'Strangers read snippets of files.',
        why: 'No call that tells of files is open to strangers, but through a link (I5).',
      },
      {
        id: 'CVE-2026-69194',
        did: 'The footer of the instance was markup.',
        why: 'What operators write is text; a stylesheet of theirs is a file on the server (I11).',
      },
      {
        id: 'CVE-2026-25231',
        did: 'The folder of uploads was served as it is.',
        why: 'There is no address of the disk: every byte leaves through a Drive (I4).',
      },
    ],
  },
  {
    title: 'goshs and Filestash',
    attacks: [
      {
        id: 'CVE-2026-35392',
        did: 'PUT wrote outside of the root.',
        why: 'The path passes the gate, whatever the method (I1).',
      },
      {
        id: 'CVE-2026-35393',
        did: 'POST wrote outside of the root.',
        why: 'As above (I1).',
      },
      {
        id: 'CVE-2026-54719',
        did: 'An archive of several files skipped their rules.',
        why: 'Every file of an archive is opened through the Drive (I4, I5).',
      },
      {
        id: 'CVE-2026-62325',
        did: 'An empty password signed in.',
        why: 'An empty secret is nobody’s, in every way to sign in (I7).',
      },
      {
        id: 'CVE-2024-41255',
        also: ['CVE-2024-41256'],
        did: 'Outgoing connections did not verify certificates.',
        why: 'What we call ourselves we call by TLS that is verified; there is no switch for it.',
      },
    ],
  },
]
